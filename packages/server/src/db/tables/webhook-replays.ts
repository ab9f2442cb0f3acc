import type { WebhookReplaySelect, WebhookReplayStatus } from '@plat/contract';
import { ascii, bigint, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A job that sends many events again. */
export const WEBHOOK_REPLAYS = defineTable('webhook_replays', {
  tenant_id: primaryKey(id()),
  id: primaryKey(id()),
  /** null: every endpoint that was enabled at its creation. */
  endpoint_id: nullable(id()),
  selection: ascii<WebhookReplaySelect>(16),
  since_at: instant(),
  until_at: instant(),
  /** JSON array of event types; null: all. */
  event_types: nullable(longText()),
  status: ascii<WebhookReplayStatus>(16),
  examined_count: bigint(),
  scheduled_count: bigint(),
  total_count: nullable(bigint()),
  /** JSON array: for each endpoint that is still in it, how far along the events it is. */
  walks: longText(),
  /** Grows with each claim: the fence of whoever works on it. */
  turn: bigint(),
  /** When it may be claimed; null once it has ended. */
  due_at: nullable(instant()),
  completed_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type WebhookReplayRow = RowOf<typeof WEBHOOK_REPLAYS>;
