import {
  type EventType,
  LIMITS,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ENDPOINT_STATUSES,
  WEBHOOK_REPLAY_SELECTS,
  WEBHOOK_REPLAY_STATUSES,
} from '@plat/contract';
import { integer, nullable, oneOf, openText, openTexts, required, text, time } from '../../command/field.ts';
import type { FamilyFields } from './family-fields.ts';
import { timeRange } from './time-range.ts';

const events = openTexts<EventType | '*'>("event types to send, or '*' for all, later ones included", 'type');
const description = nullable(text('what it is for'));
const url = text('where events are posted to', 'url');

export const WEBHOOK_FIELDS: FamilyFields<
  'webhooks.endpoints' | 'webhooks.events' | 'webhooks.deliveries' | 'webhooks.replays'
> = {
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
    status: oneOf(
      WEBHOOK_DELIVERY_STATUSES,
      'only attempts in this status; retrying: the next attempt is still to come',
    ),
  },
  'webhooks.replays.list': {
    status: oneOf(WEBHOOK_REPLAY_STATUSES, 'only replays in this status'),
    endpoint_id: text('only replays to this endpoint', 'id'),
  },
  'webhooks.replays.create': {
    since: required(time('events created since then: ISO 8601, or 30m, 24h, 7d')),
    until: time('and before then; now when absent'),
    endpoint_id: text('only to this endpoint; to every enabled one when absent', 'id'),
    event_types: openTexts<EventType>('only events of these types', 'type'),
    select: oneOf(WEBHOOK_REPLAY_SELECTS, 'what failed, what was not sent at all, or both; both when absent'),
  },
};
