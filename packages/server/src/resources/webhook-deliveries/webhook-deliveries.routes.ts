import { type Route, route } from '../../http/route.ts';
import { replayEvent } from './replay.service.ts';
import { getDelivery, listDeliveries } from './webhook-deliveries.service.ts';

export const webhookDeliveryRoutes: readonly Route[] = [
  route('webhooks.deliveries.list', {
    handle: (ctx, { query }) => listDeliveries(ctx, query),
  }),
  route('webhooks.deliveries.get', {
    errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
    handle: (ctx, { path }) => getDelivery(ctx, path.delivery_id),
  }),
  route('webhooks.events.replay', {
    errors: ['WEBHOOK_EVENT_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
    handle: (ctx, { path, body }) => replayEvent(ctx, path.event_id, body),
  }),
];
