import {
  ALL_EVENT_TYPES,
  type EventReplayParams,
  LIMITS,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDelivery,
  type WebhookDeliveryListParams,
} from '@plat/contract';
import {
  anyString,
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
    response_body: describe(nullable(anyString()), 'The first KiB of the answer; null without one.', 'ok'),
    error: describe(nullable(string()), 'What went wrong, when no HTTP answer counted.', null),
    duration_ms: describe(
      nullable(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
      'How long the attempt took, in milliseconds.',
      84,
    ),
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
  status: optional(describe(oneOf(WEBHOOK_DELIVERY_STATUSES), 'Only deliveries of this status.')),
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
