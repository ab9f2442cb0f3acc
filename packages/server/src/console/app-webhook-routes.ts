import { ALL_APP_EVENT_TYPES, type AppEventType, LIMITS } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { changeAsApp, ownApp } from '../developer/as-app.ts';
import { refusal } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { replayEvent } from '../resources/webhook-deliveries/replay.service.ts';
import { listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { sendAppTestEvent } from '../resources/webhook-endpoints/send-test-event.ts';
import { getEndpoint, listEndpoints } from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { APPS_PATH, appTracePathOf } from './app-pages.ts';
import { appEndpointPage, appEndpointPlaceOf, appWebhooksPage, webhooksPathOf } from './app-webhook-pages.ts';
import { DELIVERY_FILTERS } from './delivery-state.ts';
import { endpointFormRoutes, type OwnEndpoints } from './endpoint-form-routes.ts';
import { RECENT_ATTEMPTS } from './endpoint-pages.ts';
import type { PageAnswer, PageCall, PageRoute } from './page-route.ts';
import { listParams } from './parts/list.ts';

type Call = PageCall<'developer'>;

const WEBHOOKS_PATH = `${APPS_PATH}/:id/webhooks`;

/** A page of one app of the developer, with the context in which the app owns the webhook objects. */
interface OfApp extends OwnEndpoints<AppEventType> {
  readonly app: AppView;
  readonly endpointId: string;
}

/** The endpoints of an app, their deliveries and secrets. They apply the rules of the developer API. */
export const appWebhookRoutes: readonly PageRoute<'developer'>[] = [
  page('GET', '', async (call, { app, ctx }) => {
    const params = deliveryParams(call);
    const [{ data: endpoints }, deliveries] = await Promise.all([
      listEndpoints<AppEventType>(ctx, { limit: LIMITS.page.max }),
      listDeliveries<AppEventType>(ctx, params),
    ]);
    return { page: appWebhooksPage(call, app, { endpoints, deliveries }) };
  }),
  ...endpointFormRoutes({ room: 'apps', path: WEBHOOKS_PATH, open: openApp }),
  page('POST', '/events/:event_id/replay', async ({ ids, fields }, { app, write }) => {
    const { endpoint_id: endpointId = '' } = fields;
    await write((own) => replayEvent(own, ids['event_id'] ?? '', { endpoint_id: endpointId }));
    return { goTo: `${webhooksPathOf(app)}/${endpointId}?done=replayed` };
  }),
  page('GET', '/:endpoint_id', async (call, { app, ctx, endpointId }) => {
    const about = { endpoint_id: endpointId };
    const endpoint = await getEndpoint<AppEventType>(ctx, endpointId);
    const params = deliveryParams(call);
    const [{ data: recent }, list] = await Promise.all([
      listDeliveries<AppEventType>(ctx, { ...about, limit: RECENT_ATTEMPTS }),
      listDeliveries<AppEventType>(ctx, { ...params, ...about }),
    ]);
    const mayTest = app.verification !== 'verified';
    return { page: appEndpointPage(call, app, { endpoint, recent, list, mayTest }) };
  }),
  page('POST', '/:endpoint_id/test', async ({ fields, ctx }, { app, write, endpointId }) => {
    const type = ALL_APP_EVENT_TYPES.find((one) => one === fields['type']);
    if (type === undefined) throw refusal('INVALID_REQUEST', [{ path: 'type', message: 'must be an event type' }]);
    await write(async (own) => {
      // Read in the transaction, which locks the app: an operator may verify it meanwhile.
      const { verification } = await ownApp(own, app.id);
      if (verification === 'verified') throw new ApiError('UNPROCESSABLE', VERIFIED);
      await sendAppTestEvent(own, endpointId, type);
    });
    // The trace of the request has the event and its attempts.
    return { goTo: `${appTracePathOf(app.id)}?id=${ctx.requestId}` };
  }),
];

function deliveryParams(call: Call): object {
  return listParams<object>(SCHEMAS.WebhookDeliveryListParams, call, DELIVERY_FILTERS);
}

/** Receivers of a verified app would act on the data, like those of a production tenant. */
const VERIFIED = 'Test events are for apps that are not verified; resend an event of the app instead';

function page(
  method: 'GET' | 'POST',
  below: string,
  handle: (call: Call, ofApp: OfApp) => Promise<PageAnswer>,
): PageRoute<'developer'> {
  return {
    room: 'apps',
    method,
    path: WEBHOOKS_PATH + below,
    handle: async (call) => handle(call, await openApp(call)),
  };
}

async function openApp({ id, ids, ctx, write }: Call): Promise<OfApp> {
  const app = await ownApp(ctx, id);
  return {
    app,
    place: appEndpointPlaceOf(app),
    ctx: { ...ctx, tenantId: app.id },
    endpointId: ids['endpoint_id'] ?? '',
    write: (work) => write(async (open) => work(await changeAsApp(open, id))),
  };
}
