import { id, instant, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A user who owns a group. The user's status shows whether the invitation was accepted. */
export const GROUP_OWNERS = defineTable(
  'group_owners',
  {
    tenant_id: primaryKey(id()),
    group_id: primaryKey(id()),
    user_id: primaryKey(id()),
    created_at: instant(),
    updated_at: instant(),
  },
  [],
  {
    PRIMARY: ['group_id'],
  },
);
export type GroupOwnerRow = RowOf<typeof GROUP_OWNERS>;
