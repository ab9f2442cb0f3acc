import {
  ALL_EVENT_TYPES,
  WEBHOOK_REPLAY_SELECTS,
  WEBHOOK_REPLAY_STATUSES,
  type WebhookReplay,
  type WebhookReplayCreateParams,
  type WebhookReplayListParams,
} from '@plat/contract';
import {
  array,
  describe,
  id,
  integer,
  listFields,
  nullable,
  object,
  oneOf,
  optional,
  timestamp,
} from '../../http/rules.ts';

const count = () => integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const eventTypes = () => array(oneOf(ALL_EVENT_TYPES), { min: 1, max: ALL_EVENT_TYPES.length });
const select = describe(
  oneOf(WEBHOOK_REPLAY_SELECTS),
  '`failed`: events whose last delivery to the endpoint failed; `missed`: those without a delivery to it; `undelivered`: both.',
  'undelivered',
);

export const replay = describe(
  object<WebhookReplay>('WebhookReplay', {
    object: oneOf(['webhook_replay']),
    id: id('webhook_replay'),
    endpoint_id: describe(
      nullable(id('webhook_endpoint')),
      'The only endpoint it sends to; null: every endpoint that was enabled when it was created.',
    ),
    select,
    since: describe(timestamp(), 'Events created from then on are looked at.'),
    until: describe(timestamp(), 'Events created before then are looked at.'),
    event_types: describe(nullable(eventTypes()), 'Only events of these types; null: of all that the endpoint wants.', [
      'client.created',
    ]),
    status: describe(oneOf(WEBHOOK_REPLAY_STATUSES), 'How far it is.', 'running'),
    examined_count: describe(count(), 'Events looked at so far, for the endpoint that is furthest behind.', 1200),
    scheduled_count: describe(count(), 'Deliveries scheduled so far.', 87),
    total_count: describe(nullable(count()), 'Events between `since` and `until`; null until they were counted.', 4000),
    completed_at: describe(nullable(timestamp()), 'When all was scheduled; null before, and when it was canceled.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A job that sends many events again, each from attempt 1.',
);

export const replayList = object<WebhookReplayListParams>({
  ...listFields,
  status: optional(describe(oneOf(WEBHOOK_REPLAY_STATUSES), 'Only replays of this status.')),
  endpoint_id: optional(describe(id('webhook_endpoint'), 'Only replays to this endpoint.')),
});

export const replayCreate = describe(
  object<WebhookReplayCreateParams>('WebhookReplayCreate', {
    since: describe(timestamp(), 'Events created from then on; in the past.'),
    until: optional(describe(timestamp(), 'Events created before then; now when absent or later than now.')),
    endpoint_id: optional(describe(id('webhook_endpoint'), 'Only to this endpoint; to every enabled one when absent.')),
    event_types: optional(
      describe(eventTypes(), 'Only events of these types; of all that the endpoint wants when absent.', [
        'client.created',
      ]),
    ),
    select: optional(select),
  }),
  'Which events are to go where again.',
);
