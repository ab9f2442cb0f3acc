import { ascii, bigint, instant, integer, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** The lease of a shard of the delivery queue, by the clock of the database. */
export const SHARD_LEASES = defineTable('shard_leases', {
  shard: primaryKey(integer()),
  owner: nullable(ascii(64)),
  /** Fencing token: grows with each change of owner. */
  token: bigint(),
  expires_at: instant(),
});
export type ShardLeaseRow = RowOf<typeof SHARD_LEASES>;
