import { type Route, route } from '../../http/route.ts';
import { getEvent, listEvents } from './webhook-events.service.ts';

export const webhookEventRoutes: readonly Route[] = [
  route('webhooks.events.list', {
    handle: (ctx, { query }) => listEvents(ctx, query),
  }),
  route('webhooks.events.get', {
    handle: (ctx, { path }) => getEvent(ctx, path.event_id),
  }),
];
