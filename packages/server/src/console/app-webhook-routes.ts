import { type AppEventType, type AppWebhookEndpointCreateParams, LIMITS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { Context, WriteContext } from '../context.ts';
import { inNameOf } from '../developer/as-app.ts';
import { validate } from '../http/validate.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { APPS_PATH } from './app-pages.ts';
import {
  appEndpointPage,
  appEndpointSecretPage,
  appWebhooksPage,
  deleteAppEndpointPage,
  newAppEndpointPage,
  postedAppEndpoint,
  rotateAppEndpointPage,
  webhooksPathOf,
} from './app-webhook-pages.ts';
import { refusedEndpoint } from './endpoint-form.ts';
import { refuseResubmission } from './forms.ts';
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
    const params = listParams<object>(SCHEMAS.WebhookDeliveryListParams, call.query, []);
    const [{ data: endpoints }, deliveries] = await Promise.all([
      listEndpoints<AppEventType>(ctx, { limit: LIMITS.page.max }),
      listDeliveries<AppEventType>(ctx, params),
    ]);
    return { page: appWebhooksPage(call, app, { endpoints, deliveries }) };
  }),
  page('GET', '/new', async (call, { app }) => {
    const typed = { url: '', description: '', events: [] };
    return { page: newAppEndpointPage(call, app, { typed, problems: {} }) };
  }),
  page('POST', '/new', async (call, { app, write }) => {
    const typed = postedAppEndpoint(call.fields);
    try {
      const { url, events, description } = typed;
      const given = { url, events, description: description.trim() === '' ? null : description };
      const schema = SCHEMAS.AppWebhookEndpointCreateParams;
      const input = validate('INVALID_BODY', schema, given) as AppWebhookEndpointCreateParams;
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
    const params = listParams<object>(SCHEMAS.WebhookDeliveryListParams, call.query, [], about);
    const deliveries = await listDeliveries<AppEventType>(ctx, { ...params, ...about });
    return { page: appEndpointPage(call, app, endpoint, deliveries) };
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
