import { type Route, route } from '../../http/route.ts';
import { event, eventList } from './webhook-events.schemas.ts';
import { getEvent, listEvents } from './webhook-events.service.ts';

export const webhookEventRoutes: readonly Route[] = [
  route('webhooks.events.list', {
    query: eventList,
    response: event,
    handle: (ctx, { query }) => listEvents(ctx, query),
  }),
  route('webhooks.events.get', {
    response: event,
    errors: ['WEBHOOK_EVENT_NOT_FOUND'],
    handle: (ctx, { path }) => getEvent(ctx, path.event_id),
  }),
];
