import { type Route, route } from '../../http/route.ts';
import { replayEvent } from './replay.service.ts';
import { getDelivery, listDeliveries } from './webhook-deliveries.service.ts';

export const webhookDeliveryRoutes: readonly Route[] = [
  route('webhooks.deliveries.list', {
    handle: (ctx, { query }) => listDeliveries(ctx, query),
  }),
  route('webhooks.deliveries.get', {
    handle: (ctx, { path }) => getDelivery(ctx, path.delivery_id),
  }),
  route('webhooks.events.replay', {
    handle: (ctx, { path, body }) => replayEvent(ctx, path.event_id, body),
  }),
];
