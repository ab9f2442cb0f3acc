import { bigint, id, integer, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** Rows that changes and resets of a sandbox write, so that they wait for each other (decision 052). */
export const SANDBOX_LOCKS = defineTable('sandbox_locks', {
  tenant_id: primaryKey(id()),
  slot: primaryKey(integer()),
  changes: bigint(),
});
