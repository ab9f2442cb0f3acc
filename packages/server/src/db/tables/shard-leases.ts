import { ascii, bigint, instant, integer, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** Which dispatcher may work on a shard of the delivery queue, until when by the clock of the database. */
export const SHARD_LEASES = defineTable('shard_leases', {
  shard: primaryKey(integer()),
  owner: nullable(ascii(64)),
  /** Grows with every change of owner: the fence of late writers. */
  token: bigint(),
  expires_at: instant(),
});
export type ShardLeaseRow = RowOf<typeof SHARD_LEASES>;
