import type { AnyEventType, EventType } from '@plat/contract';
import { columnsExcept } from '../db/statements.ts';
import { WEBHOOK_DELIVERIES, type WebhookDeliveryRow } from '../db/tables/webhook-deliveries.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';
import type { DeliveryOf } from './owned-webhooks.ts';

/** Columns that the API presents. */
export const DELIVERY_VIEW = columnsExcept(WEBHOOK_DELIVERIES, [
  'tenant_id',
  'queue_shard',
  'replayed_by',
  'signature_starts',
]);
export type DeliveryView = Pick<WebhookDeliveryRow, (typeof DELIVERY_VIEW)[number]>;

export function presentDelivery<T extends AnyEventType = EventType>(row: DeliveryView): DeliveryOf<T> {
  const { dns_ms, connect_ms, tls_ms, first_byte_ms, response_headers, ...fields } = row;
  const { duration_ms: total_ms } = fields;
  return {
    object: 'webhook_delivery',
    ...fields,
    // The events of an owner have its types.
    event_type: row.event_type as T,
    response_headers: response_headers === null ? null : JSON.parse(response_headers),
    timings: total_ms === null ? null : { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms },
    scheduled_at: isoTime(row.scheduled_at),
    attempted_at: isoTimeOrNull(row.attempted_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
