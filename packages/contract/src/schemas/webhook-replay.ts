import { ALL_EVENT_TYPES } from '../event-types.ts';
import { WEBHOOK_REPLAY_SELECTS, WEBHOOK_REPLAY_STATUSES } from '../objects/webhook.ts';
import { answer, nullable, page, params, times } from './objects.ts';
import { id, time } from './texts.ts';
import { always, array, count, oneOf } from './values.ts';

const select = oneOf(
  'WebhookReplaySelect',
  WEBHOOK_REPLAY_SELECTS,
  '`failed`: events whose last delivery to the endpoint failed; `missed`: events without a delivery to it; `undelivered`: both.',
  'undelivered',
);
const eventTypes = (description: string) =>
  array(oneOf('EventType', ALL_EVENT_TYPES, 'An event type.'), description, {
    min: 1,
    max: ALL_EVENT_TYPES.length,
    example: ['client.created'],
  });

export const webhookReplay = answer('WebhookReplay', 'A job that sends many events again, each from attempt 1.', {
  object: always('webhook_replay'),
  id: id('webhook_replay'),
  endpoint_id: nullable(
    id('webhook_endpoint', 'The only endpoint it sends to; null: every endpoint that was enabled when it was created.'),
  ),
  select,
  since: time('Start of the window: events created at or after this time.'),
  until: time('End of the window: events created before this time.'),
  event_types: nullable(
    eventTypes('Only events of these types; null: of all types that the endpoint is subscribed to.'),
  ),
  status: oneOf('WebhookReplayStatus', WEBHOOK_REPLAY_STATUSES, 'Progress of the replay.', 'running'),
  examined_count: count('Events examined so far, for the endpoint that is furthest behind.', 1200),
  scheduled_count: count('Deliveries scheduled so far.', 87),
  total_count: nullable(count('Events between `since` and `until`; null until they were counted.', 4000)),
  completed_at: nullable(time('When all was scheduled; null before, and when it was canceled.')),
  ...times,
});

export const webhookReplayList = params('WebhookReplayListParams', 'Which replays to list.', {
  ...page,
  status: oneOf('WebhookReplayStatus', WEBHOOK_REPLAY_STATUSES, 'Only replays of this status.'),
  endpoint_id: id('webhook_endpoint', 'Only replays to this endpoint.'),
});

export const webhookReplayCreate = params(
  'WebhookReplayCreateParams',
  'Which events to send again, and where.',
  {
    since: time('Events created at or after this time, which is in the past.'),
    until: time('Events created before this time; now when absent or later than now.'),
    endpoint_id: id('webhook_endpoint', 'Only to this endpoint; to every enabled one when absent.'),
    event_types: eventTypes('Only events of these types; of all types that the endpoint is subscribed to when absent.'),
    select,
  },
  ['since'],
);
