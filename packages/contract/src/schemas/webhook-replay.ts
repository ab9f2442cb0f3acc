import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '../event-types.ts';
import { WEBHOOK_REPLAY_SELECTS, WEBHOOK_REPLAY_STATUSES } from '../objects/webhook.ts';
import { answer, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { id, time } from './texts.ts';
import { always, array, count, oneOf } from './values.ts';

const select = oneOf(
  'WebhookReplaySelect',
  WEBHOOK_REPLAY_SELECTS,
  'Events to send. `failed`: events whose last delivery to the endpoint failed. `missed`: events without a delivery to it. `undelivered`: both.',
  'undelivered',
);
const ofTenants = replaySchemas('', 'EventType', ALL_EVENT_TYPES, 'client.created');
export const webhookReplay = ofTenants.replay;
export const webhookReplayCreate = ofTenants.create;

const ofApps = replaySchemas('App', 'AppEventType', ALL_APP_EVENT_TYPES, 'installation.revoked');
export const appWebhookReplay = ofApps.replay;
export const appWebhookReplayCreate = ofApps.create;

export const webhookReplayList = params('WebhookReplayListParams', 'Filters and paging for the list of replays.', {
  ...page,
  status: oneOf('WebhookReplayStatus', WEBHOOK_REPLAY_STATUSES, 'Only replays with this status.'),
  endpoint_id: id('webhook_endpoint', 'Only replays to this endpoint.'),
});

export const operations = {
  'webhooks.replays.list': {
    query: 'WebhookReplayListParams',
    answer: 'WebhookReplay',
  },
  'webhooks.replays.create': {
    body: 'WebhookReplayCreateParams',
    answer: 'WebhookReplay',
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
    details:
      'They are sent to one endpoint or to every enabled one. The creation time of the events is limited by `since` and `until`. A time window that is empty or in the future is an `INVALID_BODY`. The response does not wait for the deliveries: the replay shows its progress. A disabled endpoint is refused, and so is a sixth replay beside five that have not ended: `UNPROCESSABLE`.',
  },
  'webhooks.replays.get': {
    answer: 'WebhookReplay',
    errors: ['WEBHOOK_REPLAY_NOT_FOUND'],
  },
  'webhooks.replays.cancel': {
    answer: 'WebhookReplay',
    errors: ['WEBHOOK_REPLAY_NOT_FOUND', 'UNPROCESSABLE'],
    details: 'A replay that has ended is refused: `UNPROCESSABLE`.',
  },
} as const satisfies Operations;

/** Returns the schemas of the replays of tenants or apps, which differ in the event types. */
function replaySchemas(prefix: '' | 'App', type: string, types: readonly string[], example: string) {
  const eventTypes = (description: string) =>
    array(oneOf(type, types, 'An event type.'), description, { min: 1, max: types.length, example: [example] });
  const replay = answer(`${prefix}WebhookReplay`, 'A job that sends many events again, each from attempt 1.', {
    object: always('webhook_replay'),
    id: id('webhook_replay'),
    endpoint_id: nullable(
      id(
        'webhook_endpoint',
        'Id of the only endpoint that the replay sends to. Null: every endpoint that was enabled when the replay was created.',
      ),
    ),
    select,
    since: time('Start of the time window: events created at or after this time.'),
    until: time('End of the time window: events created before this time.'),
    event_types: nullable(
      eventTypes('Only events of these types. Null: all types that the endpoint is subscribed to.'),
    ),
    status: oneOf('WebhookReplayStatus', WEBHOOK_REPLAY_STATUSES, 'Progress of the replay.', 'running'),
    examined_count: count('Number of events examined so far, for the endpoint that is furthest behind.', 1200),
    scheduled_count: count('Number of deliveries scheduled so far.', 87),
    total_count: nullable(count('Number of events between `since` and `until`; null until they are counted.', 4000)),
    completed_at: nullable(time('Time at which all deliveries were scheduled; null before, and after a cancellation.')),
    ...times,
  });
  const create = params(
    `${prefix}WebhookReplayCreateParams`,
    'The events to send again, and the endpoint that receives them.',
    {
      since: time('Start of the time window: events created at or after this time. It must be in the past.'),
      until: time(
        'End of the time window: events created before this time. By default, and for a later time, the current time.',
      ),
      endpoint_id: id('webhook_endpoint', 'Endpoint to send to; every enabled endpoint by default.'),
      event_types: eventTypes('Only events of these types. By default: all types that the endpoint is subscribed to.'),
      select,
    },
    ['since'],
  );
  return { replay, create };
}
