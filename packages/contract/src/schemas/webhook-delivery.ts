import { ALL_EVENT_TYPES } from '../event-types.ts';
import { LIMITS } from '../limits.ts';
import { WEBHOOK_DELIVERY_ERROR_CLASSES, WEBHOOK_DELIVERY_STATUSES } from '../objects/webhook.ts';
import { answer, listOf, nullable, page, params, times } from './objects.ts';
import { anyString, id, string, time } from './texts.ts';
import { always, array, count, integer, oneOf } from './values.ts';

export const webhookDeliveryTimings = answer(
  'WebhookDeliveryTimings',
  'Duration of each phase of an attempt, in milliseconds. Null: a phase that did not end, or was not needed. A reused connection needs none of the first three.',
  {
    dns_ms: nullable(count('Resolving the host name.', 2)),
    connect_ms: nullable(count('Opening the connection.', 11)),
    tls_ms: nullable(count('The TLS handshake.', 24)),
    first_byte_ms: nullable(
      count('From sending the request to the first byte of the response: the time the receiver took.', 46),
    ),
    total_ms: count('The whole attempt.', 84),
  },
);

export const webhookResponseHeader = answer('WebhookResponseHeader', 'A header of a response.', {
  name: anyString('As it was sent.', 'content-type'),
  value: anyString('As it was sent; bytes that are not UTF-8 are replaced.', 'text/plain'),
});

export const webhookDelivery = answer('WebhookDelivery', 'One attempt to deliver an event to an endpoint.', {
  object: always('webhook_delivery'),
  id: id('webhook_delivery', 'The `X-Platform-Delivery-Id` of this attempt.'),
  event_id: id('event'),
  event_type: oneOf('EventType', ALL_EVENT_TYPES, 'The type of the event.'),
  endpoint_id: id('webhook_endpoint'),
  attempt: integer(1, LIMITS.webhook.attempts, 'Number of the attempt; a replay starts at 1 again.'),
  status: oneOf(
    'WebhookDeliveryStatus',
    WEBHOOK_DELIVERY_STATUSES,
    '`retrying`: this attempt failed and another one follows; `failed`: no other one follows.',
    'succeeded',
  ),
  response_status: nullable(integer(100, 999, 'HTTP status of the response; null without one.', 200)),
  response_headers: nullable(
    array(
      webhookResponseHeader,
      'The first KiB of the response headers, in their order; null without a response. Escape them where you show them.',
    ),
  ),
  response_body: nullable(
    anyString('The first KiB of the response body; null without a response. Escape it where you show it.', 'ok'),
  ),
  error_class: nullable(
    oneOf(
      'WebhookDeliveryErrorClass',
      WEBHOOK_DELIVERY_ERROR_CLASSES,
      'Why it failed, for programs; null when it did not. `http_status`: the response was not 2xx.',
    ),
    null,
  ),
  error: nullable(string('Why it failed, in words; null when an HTTP response was received.'), null),
  remote_address: nullable(
    string('The IP address of the receiver; null when no connection was opened.', '203.0.113.7'),
  ),
  duration_ms: nullable(count('Duration of the attempt in milliseconds.', 84)),
  timings: {
    anyOf: [webhookDeliveryTimings, { type: 'null' }],
    description: 'Duration of its phases; null when nothing was sent.',
  },
  scheduled_at: time('When the attempt is or was due.'),
  attempted_at: nullable(time('When the attempt was made; null before.')),
  ...times,
});

export const webhookDeliveryList = params('WebhookDeliveryListParams', 'Which deliveries to list.', {
  ...page,
  event_id: id('event', 'Only deliveries of this event.'),
  endpoint_id: id('webhook_endpoint', 'Only deliveries to this endpoint.'),
  status: oneOf(
    'WebhookDeliveryStatus',
    WEBHOOK_DELIVERY_STATUSES,
    'Only attempts of this status; `retrying`: only those whose next attempt is still to come.',
  ),
});

export const eventReplay = params('EventReplayParams', 'Where to send the event again.', {
  endpoint_id: id(
    'webhook_endpoint',
    'Only to this endpoint; to every enabled one that is subscribed to the type when absent.',
  ),
});

/** Answer to the replay of one event. It has no pages: there is one delivery for each endpoint at most. */
export const replayedDeliveries = listOf(webhookDelivery);
