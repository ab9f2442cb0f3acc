import type { AnyEventType, WebhookDeliveryErrorClass, WebhookDeliveryStatus } from '@plat/contract';
import { ascii, id, instant, integer, longText, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** One attempt to deliver an event to an endpoint. While pending it is queued in its shard. */
export const WEBHOOK_DELIVERIES = defineTable(
  'webhook_deliveries',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    event_id: id(),
    event_type: ascii<AnyEventType>(64),
    endpoint_id: id(),
    attempt: integer(),
    status: ascii<WebhookDeliveryStatus>(16),
    /** 0 to 63 while pending, else null. */
    queue_shard: nullable(integer()),
    scheduled_at: instant(),
    attempted_at: nullable(instant()),
    response_status: nullable(integer()),
    response_body: nullable(longText()),
    error: nullable(text(500)),
    duration_ms: nullable(integer()),
    error_class: nullable(ascii<WebhookDeliveryErrorClass>(32)),
    dns_ms: nullable(integer()),
    connect_ms: nullable(integer()),
    tls_ms: nullable(integer()),
    first_byte_ms: nullable(integer()),
    remote_address: nullable(ascii(64)),
    /** A JSON array of `{name, value}`. */
    response_headers: nullable(longText()),
    /** The request or the replay job that scheduled a first attempt again; null for the others, and before migration 0039. */
    replayed_by: nullable(id()),
    /** The first digits of each signature, separated by commas; only of a failed attempt, and since migration 0040. */
    signature_starts: nullable(ascii(64)),
    created_at: instant(),
    updated_at: instant(),
  },
  [],
  {
    webhook_deliveries_event: ['event_id'],
    webhook_deliveries_endpoint_status: ['endpoint_id', 'status'],
    webhook_deliveries_endpoint: ['endpoint_id'],
    webhook_deliveries_status: ['status'],
  },
);
export type WebhookDeliveryRow = RowOf<typeof WEBHOOK_DELIVERIES>;
