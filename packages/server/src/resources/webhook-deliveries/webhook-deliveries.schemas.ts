import {
  ALL_EVENT_TYPES,
  type EventReplayParams,
  LIMITS,
  WEBHOOK_DELIVERY_ERROR_CLASSES,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDelivery,
  type WebhookDeliveryListParams,
  type WebhookDeliveryTimings,
  type WebhookResponseHeader,
} from '@plat/contract';
import {
  anyString,
  array,
  describe,
  id,
  integer,
  listFields,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from '../../http/rules.ts';

const milliseconds = () => integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

const timings = describe(
  object<WebhookDeliveryTimings>('WebhookDeliveryTimings', {
    dns_ms: describe(nullable(milliseconds()), 'To resolve the host name.', 2),
    connect_ms: describe(nullable(milliseconds()), 'To open the connection.', 11),
    tls_ms: describe(nullable(milliseconds()), 'For the TLS handshake.', 24),
    first_byte_ms: describe(
      nullable(milliseconds()),
      'From the sending of the request to the first byte of the answer: what the receiver took.',
      46,
    ),
    total_ms: describe(milliseconds(), 'The whole attempt.', 84),
  }),
  'Where the time went, in milliseconds. Null: a phase that did not come to its end, or was not needed, as the first three are where an open connection was used again.',
);

const header = describe(
  object<WebhookResponseHeader>('WebhookResponseHeader', {
    name: describe(anyString(), 'As it was sent.', 'content-type'),
    value: describe(anyString(), 'As it was sent; what is no UTF-8 is replaced.', 'text/plain'),
  }),
  'A header of an answer.',
);

export const delivery = describe(
  object<WebhookDelivery>('WebhookDelivery', {
    object: oneOf(['webhook_delivery']),
    id: describe(id('webhook_delivery'), 'The `X-Platform-Delivery-Id` of this attempt.'),
    event_id: id('event'),
    event_type: describe(oneOf(ALL_EVENT_TYPES), 'The type of the event.'),
    endpoint_id: id('webhook_endpoint'),
    attempt: describe(
      integer({ min: 1, max: LIMITS.webhook.attempts }),
      'Which attempt it is; a replay starts at 1 again.',
    ),
    status: describe(
      oneOf(WEBHOOK_DELIVERY_STATUSES),
      '`retrying`: this attempt failed and another one follows; `failed`: no other one follows.',
      'succeeded',
    ),
    response_status: describe(
      nullable(integer({ min: 100, max: 999 })),
      'HTTP status of the answer; null without one.',
      200,
    ),
    response_headers: describe(
      nullable(array(header)),
      'The first KiB of the headers of the answer, in their order; null without one. Escape them where you show them.',
    ),
    response_body: describe(
      nullable(anyString()),
      'The first KiB of the answer; null without one. Escape it where you show it.',
      'ok',
    ),
    error_class: describe(
      nullable(oneOf(WEBHOOK_DELIVERY_ERROR_CLASSES)),
      'Why it failed, for programs; null when it did not. `http_status`: the answer was not 2xx.',
      null,
    ),
    error: describe(nullable(string()), 'Why it failed, in words, when no HTTP answer counted.', null),
    remote_address: describe(
      nullable(string()),
      'The IP address it was sent to; null when no connection came about.',
      '203.0.113.7',
    ),
    duration_ms: describe(nullable(milliseconds()), 'How long the attempt took, in milliseconds.', 84),
    timings: describe(nullable(timings), 'Where that time went; null when nothing was sent.'),
    scheduled_at: describe(timestamp(), 'When the attempt is or was due.'),
    attempted_at: describe(nullable(timestamp()), 'When the attempt was made; null before.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'One attempt to deliver an event to an endpoint.',
);

export const deliveryList = object<WebhookDeliveryListParams>({
  ...listFields,
  event_id: optional(describe(id('event'), 'Only deliveries of this event.')),
  endpoint_id: optional(describe(id('webhook_endpoint'), 'Only deliveries to this endpoint.')),
  status: optional(
    describe(
      oneOf(WEBHOOK_DELIVERY_STATUSES),
      'Only attempts of this status; `retrying`: only those whose next attempt is still to come.',
    ),
  ),
});

export const eventReplay = describe(
  object<EventReplayParams>('EventReplay', {
    endpoint_id: optional(
      describe(id('webhook_endpoint'), 'Only to this endpoint; to every enabled one that wants the type when absent.'),
    ),
  }),
  'Where the event is to go again.',
);

/** Without pages: an event has no more new deliveries than the tenant has endpoints. */
export const replayed = listOf(delivery);
