export const MEMBERSHIP_POLICIES = ['open', 'invite_only', 'closed'] as const;
export type MembershipPolicy = (typeof MEMBERSHIP_POLICIES)[number];

/** A group of clients. */
export interface Group {
  readonly object: 'group';
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly membership_policy: MembershipPolicy;
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A client in a group. */
export interface GroupMember {
  readonly object: 'group_member';
  readonly group_id: string;
  readonly client_id: string;
  readonly created_at: string;
}

/** A user who owns a group, or was invited to. */
export interface GroupOwner {
  readonly object: 'group_owner';
  readonly group_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly status: 'invited' | 'active';
  readonly created_at: string;
}
