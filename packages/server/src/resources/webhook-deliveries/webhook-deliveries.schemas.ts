import {
  ALL_EVENT_TYPES,
  LIMITS,
  WEBHOOK_DELIVERY_STATUSES,
  type WebhookDelivery,
  type WebhookDeliveryListParams,
} from '@plat/contract';
import {
  anyString,
  id,
  integer,
  listFields,
  nullable,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from '../../http/rules.ts';

export const delivery = object<WebhookDelivery>({
  object: oneOf(['webhook_delivery']),
  id: id('webhook_delivery'),
  event_id: id('event'),
  event_type: oneOf(ALL_EVENT_TYPES),
  endpoint_id: id('webhook_endpoint'),
  attempt: integer({ min: 1, max: LIMITS.webhook.attempts }),
  status: oneOf(WEBHOOK_DELIVERY_STATUSES),
  response_status: nullable(integer({ min: 100, max: 999 })),
  response_body: nullable(anyString()),
  error: nullable(string()),
  duration_ms: nullable(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  scheduled_at: timestamp(),
  attempted_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
});

export const deliveryList = object<WebhookDeliveryListParams>({
  ...listFields,
  event_id: optional(id('event')),
  endpoint_id: optional(id('webhook_endpoint')),
  status: optional(oneOf(WEBHOOK_DELIVERY_STATUSES)),
});
