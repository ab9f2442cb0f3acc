import { ALL_APP_EVENT_TYPES, type AppEventType, LIMITS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { Context, WriteContext } from '../context.ts';
import { inNameOf } from '../developer/as-app.ts';
import { refusal, validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { sendAppTestEvent } from '../resources/webhook-endpoints/send-test-event.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { APPS_PATH, appTracePathOf } from './app-pages.ts';
import {
  appEndpointPage,
  appEndpointSecretPage,
  appWebhooksPage,
  deleteAppEndpointPage,
  editAppEndpointPage,
  newAppEndpointPage,
  rotateAppEndpointPage,
  webhooksPathOf,
} from './app-webhook-pages.ts';
import { DELIVERY_FILTERS } from './delivery-state.ts';
import {
  EMPTY_ENDPOINT,
  APP_ENDPOINTS as OWN,
  postedEndpoint,
  readEndpoint,
  refusedEndpoint,
  typedEndpoint,
} from './endpoint-form.ts';
import { RECENT_ATTEMPTS } from './endpoint-pages.ts';
import { refuseResubmission, refuseStale } from './forms.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageAnswer, PageCall, PageRoute } from './page-route.ts';
import { listParams } from './parts/list.ts';

type Call = PageCall<'developer'>;

/** A page of one app of the developer, with the context in which the app owns the webhook objects. */
interface OfApp {
  readonly app: AppView;
  readonly ctx: Context;
  readonly endpointId: string;
  write<Result>(work: (ctx: WriteContext) => Promise<Result>): Promise<Result>;
}

/** The endpoints of an app, their deliveries and secrets. They apply the rules of the developer API. */
export const appWebhookRoutes: readonly PageRoute<'developer'>[] = [
  page('GET', '', async (call, { app, ctx }) => {
    const params = listParams<object>(SCHEMAS.WebhookDeliveryListParams, call.query, DELIVERY_FILTERS);
    const [{ data: endpoints }, deliveries] = await Promise.all([
      listEndpoints<AppEventType>(ctx, { limit: LIMITS.page.max }),
      listDeliveries<AppEventType>(ctx, params),
    ]);
    return { page: appWebhooksPage(call, app, { endpoints, deliveries }) };
  }),
  page('GET', '/new', async (call, { app }) => {
    return { page: newAppEndpointPage(call, app, { typed: EMPTY_ENDPOINT, problems: {} }) };
  }),
  page('POST', '/new', async (call, { app, write }) => {
    const typed = postedEndpoint(OWN, call.fields);
    try {
      const input = readEndpoint(OWN, typed);
      const endpoint = await write((own) => createEndpoint(own, input));
      return { status: 201, page: appEndpointSecretPage(call, app, 'Endpoint created', endpoint) };
    } catch (error) {
      const { status, problems } = refusedEndpoint(error);
      return { status, page: newAppEndpointPage(call, app, { typed, problems }) };
    }
  }),
  page('POST', '/events/:event_id/replay', async ({ ids, fields }, { app, write }) => {
    const { endpoint_id: endpointId = '' } = fields;
    await write((own) => replayEvent(own, ids['event_id'] ?? '', { endpoint_id: endpointId }));
    return { goTo: `${webhooksPathOf(app)}/${endpointId}?done=replayed` };
  }),
  page('GET', '/:endpoint_id', async (call, { app, ctx, endpointId }) => {
    const about = { endpoint_id: endpointId };
    const endpoint = await getEndpoint<AppEventType>(ctx, endpointId);
    const params = listParams<object>(SCHEMAS.WebhookDeliveryListParams, call.query, DELIVERY_FILTERS, about);
    const [{ data: recent }, list] = await Promise.all([
      listDeliveries<AppEventType>(ctx, { ...about, limit: RECENT_ATTEMPTS }),
      listDeliveries<AppEventType>(ctx, { ...params, ...about }),
    ]);
    const mayTest = app.verification !== 'verified';
    return { page: appEndpointPage(call, app, { endpoint, recent, list, mayTest }) };
  }),
  page('GET', '/:endpoint_id/edit', async (call, { app, ctx, endpointId }) => {
    const endpoint = await getEndpoint<AppEventType>(ctx, endpointId);
    return { page: editAppEndpointPage(call, app, endpoint, { typed: typedEndpoint(endpoint), problems: {} }) };
  }),
  page('POST', '/:endpoint_id/edit', async (call, { app, ctx, write, endpointId }) => {
    const typed = postedEndpoint(OWN, call.fields);
    try {
      const input = readEndpoint(OWN, typed);
      await write(async (own) => {
        refuseStale(call.fields['seen'], (await getEndpoint<AppEventType>(own, endpointId)).updated_at);
        await updateEndpoint<AppEventType>(own, endpointId, input);
      });
      return { goTo: `${webhooksPathOf(app)}/${endpointId}?done=saved` };
    } catch (error) {
      const { status, problems } = refusedEndpoint(error);
      const endpoint = await getEndpoint<AppEventType>(ctx, endpointId);
      return { status, page: editAppEndpointPage(call, app, endpoint, { typed, problems }) };
    }
  }),
  page('POST', '/:endpoint_id/test', async ({ fields, ctx }, { app, write, endpointId }) => {
    const type = ALL_APP_EVENT_TYPES.find((one) => one === fields['type']);
    if (type === undefined) throw refusal('INVALID_REQUEST', [{ path: 'type', message: 'must be an event type' }]);
    if (app.verification === 'verified') throw new ApiError('UNPROCESSABLE', VERIFIED);
    await write((own) => sendAppTestEvent(own, endpointId, type));
    // The trace of the request has the event and its attempts.
    return { goTo: `${appTracePathOf(app.id)}?id=${ctx.requestId}` };
  }),
  page('POST', '/:endpoint_id/status', async ({ fields }, { app, write, endpointId }) => {
    const wanted = { status: fields['status'] };
    const input = validate('INVALID_BODY', SCHEMAS.WebhookEndpointUpdateParams, wanted) as {
      readonly status: 'enabled' | 'disabled';
    };
    const { status } = await write((own) => updateEndpoint<AppEventType>(own, endpointId, input));
    return { goTo: `${webhooksPathOf(app)}/${endpointId}?done=${status}` };
  }),
  page('GET', '/:endpoint_id/secret', async (call, { app, ctx, endpointId }) => {
    return { page: rotateAppEndpointPage(call, app, await getEndpoint<AppEventType>(ctx, endpointId)) };
  }),
  page('POST', '/:endpoint_id/secret', async (call, { app, write, endpointId }) => {
    const overlap = postedOverlap(call.fields, LIMITS.webhook.secretOverlapSeconds);
    const endpoint = await write(async (own) => {
      const { updated_at: current } = await getEndpoint<AppEventType>(own, endpointId);
      refuseResubmission(call.fields['seen'], current);
      return rotateSecret<AppEventType>(own, endpointId, { expires_in: overlap });
    });
    return { status: 201, page: appEndpointSecretPage(call, app, 'Your new signing secret', endpoint) };
  }),
  page('GET', '/:endpoint_id/delete', async (call, { app, ctx, endpointId }) => {
    return { page: deleteAppEndpointPage(call, app, await getEndpoint<AppEventType>(ctx, endpointId)) };
  }),
  page('POST', '/:endpoint_id/delete', async (_call, { app, write, endpointId }) => {
    await write((own) => deleteEndpoint(own, endpointId));
    return { goTo: `${webhooksPathOf(app)}?done=deleted` };
  }),
];

/** Receivers of a verified app would act on the data, like those of a production tenant. */
const VERIFIED = 'Test events are for apps that are not verified; resend an event of the app instead';

function page(
  method: 'GET' | 'POST',
  path: string,
  handle: (call: Call, ofApp: OfApp) => Promise<PageAnswer>,
): PageRoute<'developer'> {
  return {
    room: 'apps',
    method,
    path: `${APPS_PATH}/:id/webhooks${path}`,
    async handle(call) {
      const app = await findOwnApp(call.db, call.session.developerId, call.id, null);
      return handle(call, {
        app,
        ctx: { ...call.ctx, tenantId: app.id },
        endpointId: call.ids['endpoint_id'] ?? '',
        write: (work) => call.write((ctx) => work(inNameOf(ctx, app.id))),
      });
    },
  };
}
