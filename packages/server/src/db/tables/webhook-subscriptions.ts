import { ascii, id, integer, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An event type (or `*`) of an enabled endpoint. An event finds its deliveries here. */
export const WEBHOOK_SUBSCRIPTIONS = defineTable('webhook_subscriptions', {
  tenant_id: primaryKey(id()),
  event_type: primaryKey(ascii(64)),
  endpoint_id: primaryKey(id()),
  shard: integer(),
});
export type WebhookSubscriptionRow = RowOf<typeof WEBHOOK_SUBSCRIPTIONS>;
