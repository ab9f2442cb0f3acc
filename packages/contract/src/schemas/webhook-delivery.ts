import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES } from '../event-types.ts';
import { LIMITS } from '../limits.ts';
import { WEBHOOK_DELIVERY_ERROR_CLASSES, WEBHOOK_DELIVERY_STATUSES } from '../objects/webhook.ts';
import type { JsonSchema } from './json-schema.ts';
import { answer, listOf, nullable, page, params, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { anyString, id, string, time } from './texts.ts';
import { always, array, count, integer, oneOf } from './values.ts';

export const webhookDeliveryTimings = answer(
  'WebhookDeliveryTimings',
  'Duration of each phase of an attempt, in milliseconds. Null for a phase that did not end or was not needed. A reused connection skips the first three phases.',
  {
    dns_ms: nullable(count('Milliseconds for resolving the host name.', 2)),
    connect_ms: nullable(count('Milliseconds for opening the connection.', 11)),
    tls_ms: nullable(count('Milliseconds for the TLS handshake.', 24)),
    first_byte_ms: nullable(
      count('Milliseconds from the end of sending the request to the first byte of the response.', 46),
    ),
    total_ms: count('Milliseconds for the whole attempt.', 84),
  },
);

export const webhookResponseHeader = answer('WebhookResponseHeader', 'A header of the response of a receiver.', {
  name: anyString('Name of the header as received.', 'content-type'),
  value: anyString('Value of the header as received. Bytes that are not UTF-8 are replaced.', 'text/plain'),
});

const delivery: Readonly<Record<string, JsonSchema>> = {
  object: always('webhook_delivery'),
  id: id('webhook_delivery', 'Id of the attempt, sent in the header `X-Platform-Delivery-Id`.'),
  event_id: id('event'),
  event_type: eventType('EventType', ALL_EVENT_TYPES),
  endpoint_id: id('webhook_endpoint'),
  attempt: integer(1, LIMITS.webhook.attempts, 'Number of the attempt, from 1. A replay starts at 1 again.'),
  status: oneOf(
    'WebhookDeliveryStatus',
    WEBHOOK_DELIVERY_STATUSES,
    'Status of the attempt. `retrying`: it failed and another attempt follows. `failed`: it failed and no attempt follows.',
    'succeeded',
  ),
  response_status: nullable(integer(100, 999, 'HTTP status of the response; null without one.', 200)),
  response_headers: nullable(
    array(
      webhookResponseHeader,
      'First KiB of the response headers in their order; null without a response. Escape them before you display them.',
    ),
  ),
  response_body: nullable(
    anyString('First KiB of the response body; null without a response. Escape it before you display it.', 'ok'),
  ),
  error_class: nullable(
    oneOf(
      'WebhookDeliveryErrorClass',
      WEBHOOK_DELIVERY_ERROR_CLASSES,
      'Machine-readable reason of the failure; null if the attempt did not fail. `http_status`: the response was not 2xx.',
    ),
    null,
  ),
  error: nullable(string('Reason of the failure for people; null if an HTTP response was received.'), null),
  remote_address: nullable(string('IP address of the receiver; null if no connection was opened.', '203.0.113.7')),
  duration_ms: nullable(count('Duration of the attempt in milliseconds.', 84)),
  timings: {
    anyOf: [webhookDeliveryTimings, { type: 'null' }],
    description: 'Duration of the phases of the attempt; null if nothing was sent.',
  },
  scheduled_at: time('Time at which the attempt is or was due.'),
  attempted_at: nullable(time('Time at which the attempt was made; null before.')),
  ...times,
};

export const webhookDelivery = answer('WebhookDelivery', 'One attempt to deliver an event to an endpoint.', delivery);

export const appWebhookDelivery = answer(
  'AppWebhookDelivery',
  'One attempt to deliver an event of an app to an endpoint.',
  { ...delivery, event_type: eventType('AppEventType', ALL_APP_EVENT_TYPES) },
);

export const webhookDeliveryList = params(
  'WebhookDeliveryListParams',
  'Filters and paging for the list of deliveries.',
  {
    ...page,
    event_id: id('event', 'Only deliveries of this event.'),
    endpoint_id: id('webhook_endpoint', 'Only deliveries to this endpoint.'),
    status: oneOf(
      'WebhookDeliveryStatus',
      WEBHOOK_DELIVERY_STATUSES,
      'Only attempts with this status. `retrying`: only failed attempts whose next attempt has not been made yet.',
    ),
    created_after: time('Only deliveries created after this time.'),
    created_before: time('Only deliveries created before this time.'),
  },
);

export const eventReplay = params('EventReplayParams', 'Endpoint that receives the event again.', {
  endpoint_id: id(
    'webhook_endpoint',
    'Id of the only endpoint to send to. When absent: every enabled endpoint that is subscribed to the event type.',
  ),
});

/** Response to the replay of one event. It is not paged, because each endpoint has at most one delivery. */
export const replayedDeliveries = listOf(webhookDelivery);
/** The same for an event of an app. */
export const replayedAppDeliveries = listOf(appWebhookDelivery);

export const operations = {
  'webhooks.deliveries.list': {
    query: 'WebhookDeliveryListParams',
    answer: 'WebhookDelivery',
    details:
      'An attempt is created when it is scheduled, which can be hours before it is made. `created_after` and `created_before` compare its `created_at`.',
  },
  'webhooks.deliveries.get': {
    answer: 'WebhookDelivery',
    errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
  },
} as const satisfies Operations;

function eventType(type: string, types: readonly string[]) {
  return oneOf(type, types, 'Type of the event.');
}
