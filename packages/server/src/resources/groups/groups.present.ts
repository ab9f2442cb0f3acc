import type { Group, GroupMember } from '@plat/contract';
import type { GroupRow } from '../../db/tables/client-groups.ts';
import type { GroupMemberRow } from '../../db/tables/group-members.ts';
import { isoTime } from '../../kernel/clock.ts';

/** Converts a row to the group of the API. */
export function presentGroup(row: GroupRow): Group {
  return {
    object: 'group',
    id: row.id,
    name: row.name,
    slug: row.slug,
    membership_policy: row.membership_policy,
    member_count: row.member_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export function presentMember(row: Omit<GroupMemberRow, 'tenant_id'>): GroupMember {
  return {
    object: 'group_member',
    group_id: row.group_id,
    client_id: row.client_id,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
