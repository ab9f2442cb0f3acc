import { ALL_EVENT_TYPES, type WebhookDeliveryListParams, type WebhookEndpoint } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { refusal } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import { getDelivery, listDeliveries } from '../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { sendTestEvent } from '../resources/webhook-endpoints/send-test-event.ts';
import {
  getEndpoint,
  listEndpoints,
  secretOverlapOf,
} from '../resources/webhook-endpoints/webhook-endpoints.service.ts';
import { cataloguePage } from './catalogue-page.ts';
import { deliveryPane } from './delivery-pane.ts';
import { DELIVERY_FILTERS as FILTERS } from './delivery-state.ts';
import { endpointFormRoutes } from './endpoint-form-routes.ts';
import {
  endpointPage,
  endpointPlaceOf,
  endpointsPage,
  WEBHOOKS_PATH as PATH,
  RECENT_ATTEMPTS,
} from './endpoint-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { listParams } from './parts/list.ts';
import { TRACE_PATH } from './places.ts';

/** Webhook endpoints: their health, settings, secret and deliveries, and the catalogue of event types. */
export const webhookRoutes: readonly PageRoute[] = [
  {
    room: 'webhooks',
    method: 'GET',
    path: PATH,
    async handle(call) {
      const params = listParams<object>(SCHEMAS.WebhookEndpointListParams, call, []);
      return { page: endpointsPage(call, await listEndpoints(call.ctx, params)) };
    },
  },
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/catalogue`,
    async handle(call) {
      return { page: cataloguePage(call) };
    },
  },
  ...endpointFormRoutes({
    room: 'webhooks',
    path: PATH,
    open: (call) => ({ place: endpointPlaceOf(call), ctx: call.ctx, write: call.write }),
  }),
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/deliveries/:id`,
    async handle(call) {
      const delivery = await getDelivery(call.ctx, call.id);
      try {
        const endpoint = await getEndpoint(call.ctx, delivery.endpoint_id);
        const pane = deliveryPane(call, endpoint, delivery);
        return { page: await ofEndpoint(call, endpoint, { pane, selected: delivery }) };
      } catch (error) {
        // The trace also shows attempts at an endpoint that was deleted.
        if (!(error instanceof ApiError) || error.code !== 'WEBHOOK_ENDPOINT_NOT_FOUND') throw error;
        return { goTo: `${call.prefix}${TRACE_PATH}?id=${delivery.id}` };
      }
    },
  },
  {
    room: 'webhooks',
    method: 'GET',
    path: `${PATH}/:id`,
    async handle(call) {
      const endpoint = await getEndpoint(call.ctx, call.id);
      return { page: await ofEndpoint(call, endpoint, { pane: null, selected: null }) };
    },
  },
  {
    room: 'webhooks',
    method: 'POST',
    path: `${PATH}/:id/test`,
    async handle({ id, prefix, fields, write, ctx }) {
      const type = ALL_EVENT_TYPES.find((one) => one === fields['type']);
      if (type === undefined) {
        throw refusal('INVALID_REQUEST', [{ path: 'type', message: 'must be an event type' }]);
      }
      await write((ctx) => sendTestEvent(ctx, id, type));
      // The trace of the request has the event and its attempts.
      return { goTo: `${prefix}${TRACE_PATH}?id=${ctx.requestId}` };
    },
  },
];

/** Builds the page of an endpoint. A page of older attempts has its cursor in the address. */
async function ofEndpoint(
  call: PageCall,
  endpoint: WebhookEndpoint,
  shown: Pick<Parameters<typeof endpointPage>[1], 'pane' | 'selected'>,
): Promise<SignedInPage> {
  const { ctx } = call;
  const about = { endpoint_id: endpoint.id };
  const params = listParams<WebhookDeliveryListParams>(SCHEMAS.WebhookDeliveryListParams, call, FILTERS, about);
  const [{ data: recent }, list, overlapUntil] = await Promise.all([
    listDeliveries(ctx, { ...about, limit: RECENT_ATTEMPTS }),
    listDeliveries(ctx, params),
    secretOverlapOf(ctx, endpoint.id),
  ]);
  return endpointPage(call, { endpoint, recent, list, overlapUntil, ...shown });
}
