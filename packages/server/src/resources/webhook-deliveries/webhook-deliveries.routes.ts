import { type Route, route } from '../../http/route.ts';
import { delivery, deliveryList } from './webhook-deliveries.schemas.ts';
import { getDelivery, listDeliveries } from './webhook-deliveries.service.ts';

export const webhookDeliveryRoutes: readonly Route[] = [
  route('webhooks.deliveries.list', {
    query: deliveryList,
    response: delivery,
    handle: (ctx, { query }) => listDeliveries(ctx, query),
  }),
  route('webhooks.deliveries.get', {
    response: delivery,
    errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
    handle: (ctx, { path }) => getDelivery(ctx, path.delivery_id),
  }),
];
