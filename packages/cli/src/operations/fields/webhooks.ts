import { type EventType, LIMITS, WEBHOOK_DELIVERY_STATUSES, WEBHOOK_ENDPOINT_STATUSES } from '@plat/contract';
import { integer, nullable, oneOf, openText, openTexts, required, text } from '../field.ts';
import type { FamilyFields } from './family-fields.ts';
import { timeRange } from './time-range.ts';

const events = openTexts<EventType | '*'>("event types to send, or '*' for all, later ones included", 'type');
const description = nullable(text('what it is for'));
const url = text('where events are posted to', 'url');

export const WEBHOOK_FIELDS: FamilyFields<'webhooks.endpoints' | 'webhooks.events' | 'webhooks.deliveries'> = {
  'webhooks.endpoints.list': {
    status: oneOf(WEBHOOK_ENDPOINT_STATUSES, 'only endpoints in this status'),
  },
  'webhooks.endpoints.create': {
    url: required(url),
    events: required(events),
    description,
  },
  'webhooks.endpoints.update': {
    url,
    events,
    description,
    status: oneOf(WEBHOOK_ENDPOINT_STATUSES, 'whether events are sent'),
  },
  'webhooks.endpoints.rotate_secret': {
    expires_in: integer(
      `seconds that the old secret goes on signing too, up to ${LIMITS.webhook.secretOverlapSeconds}; 0 when absent`,
      'seconds',
    ),
  },
  'webhooks.events.list': {
    type: openText<EventType>('only events of this type', 'type'),
    ...timeRange('events'),
  },
  'webhooks.events.replay': {
    endpoint_id: text('only to this endpoint; to every enabled one that wants the type when absent', 'id'),
  },
  'webhooks.deliveries.list': {
    event_id: text('only attempts for this event', 'id'),
    endpoint_id: text('only attempts at this endpoint', 'id'),
    status: oneOf(WEBHOOK_DELIVERY_STATUSES, 'only attempts in this status'),
  },
};
