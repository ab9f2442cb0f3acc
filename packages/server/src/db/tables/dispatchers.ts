import { ascii, bigint, instant, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** A process that sends deliveries, for as long as it renews its row. */
export const DISPATCHERS = defineTable('dispatchers', {
  id: primaryKey(ascii(64)),
  /** Grows with each renewal, so that a renewal always changes the row. */
  beats: bigint(),
  expires_at: instant(),
});
