import { ascii, bigint, instant, integer, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A server or worker, which renews its row while it runs. Times are those of the database's clock. */
export const PROCESSES = defineTable('processes', {
  id: primaryKey(ascii(64)),
  kind: ascii<'server' | 'worker'>(16),
  host: ascii(64),
  pid: integer(),
  version: ascii(64),
  commit_id: nullable(ascii(64)),
  /** Its clock less the database's. */
  clock_offset_ms: bigint(),
  started_at: instant(),
  seen_at: instant(),
  /** Mark of the key that encrypts; null for a process of a version that did not store it. */
  master_key: nullable(ascii(16)),
});
export type ProcessRow = RowOf<typeof PROCESSES>;
