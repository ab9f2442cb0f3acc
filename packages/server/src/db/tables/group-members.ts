import { id, instant, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A client in a group. */
export const GROUP_MEMBERS = defineTable(
  'group_members',
  {
    tenant_id: primaryKey(id()),
    group_id: primaryKey(id()),
    client_id: primaryKey(id()),
    created_at: instant(),
    updated_at: instant(),
  },
  [],
  {
    PRIMARY: ['group_id'],
    group_members_client: ['client_id'],
  },
);
export type GroupMemberRow = RowOf<typeof GROUP_MEMBERS>;
