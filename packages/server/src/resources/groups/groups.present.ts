import type { Group, GroupMember, GroupOwner, UserStatus } from '@plat/contract';
import type { GroupRow } from '../../db/models/group.model.ts';
import type { GroupMemberRow } from '../../db/models/group-member.model.ts';
import type { GroupOwnerRow } from '../../db/models/group-owner.model.ts';
import { isoTime } from '../../kernel/clock.ts';

/** A row as the API shows it. */
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

/** An owner with what the user's row says of them. */
export interface OwnerView extends Omit<GroupOwnerRow, 'tenant_id'> {
  readonly email: string;
  readonly user_status: UserStatus;
}

/** An invitation that was accepted stays accepted, also when the user is suspended later. */
export function presentOwner(row: OwnerView): GroupOwner {
  return {
    object: 'group_owner',
    group_id: row.group_id,
    user_id: row.user_id,
    email: row.email,
    status: row.user_status === 'invited' ? 'invited' : 'active',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
