import type { MembershipPolicy } from '@plat/contract';
import type { UniqueIndex } from '../errors.ts';
import { ascii, id, instant, integer, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const GROUP_SLUG: UniqueIndex = { name: 'client_groups_slug', columns: ['tenant_id', 'slug'] };

/** A group of clients. (`groups` is a reserved word in MySQL.) */
export const CLIENT_GROUPS = defineTable(
  'client_groups',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    name: text(200),
    slug: ascii(63),
    membership_policy: ascii<MembershipPolicy>(16),
    /** Updated with each member that is added or removed, under the lock of this row. */
    member_count: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  [GROUP_SLUG],
);
export type GroupRow = RowOf<typeof CLIENT_GROUPS>;
