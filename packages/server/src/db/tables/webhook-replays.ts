import type { WebhookReplaySelect, WebhookReplayStatus } from '@plat/contract';
import { ascii, bigint, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A job that replays many events. */
export const WEBHOOK_REPLAYS = defineTable(
  'webhook_replays',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    /** null for every endpoint that was enabled at its creation. */
    endpoint_id: nullable(id()),
    selection: ascii<WebhookReplaySelect>(16),
    since_at: instant(),
    until_at: instant(),
    /** JSON array of event types; null for all. */
    event_types: nullable(longText()),
    status: ascii<WebhookReplayStatus>(16),
    examined_count: bigint(),
    scheduled_count: bigint(),
    total_count: nullable(bigint()),
    /** JSON array: the progress at each endpoint that is not finished. */
    walks: longText(),
    /** Fencing token: grows with each claim. */
    turn: bigint(),
    /** Earliest time of the next claim; null once it has ended. */
    due_at: nullable(instant()),
    completed_at: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
  },
  [],
  {
    webhook_replays_endpoint_status: ['endpoint_id', 'status'],
    webhook_replays_endpoint: ['endpoint_id'],
    webhook_replays_status: ['status'],
  },
);
export type WebhookReplayRow = RowOf<typeof WEBHOOK_REPLAYS>;
