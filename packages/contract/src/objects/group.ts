import type { ListParams } from './list.ts';

/** Who may join a group by themselves. The API adds and removes members whatever it says. */
export const MEMBERSHIP_POLICIES = ['open', 'invite_only', 'closed'] as const;
export type MembershipPolicy = (typeof MEMBERSHIP_POLICIES)[number];

/** A group of clients. */
export interface Group {
  readonly object: 'group';
  readonly id: string;
  readonly name: string;
  /** Unique among the groups of the tenant. */
  readonly slug: string;
  readonly membership_policy: MembershipPolicy;
  readonly member_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface GroupCreateParams {
  readonly name: string;
  /** Lower-case letters, digits and single hyphens. Made from the name, and made unique, when absent. */
  readonly slug?: string;
  /** `invite_only` when absent. */
  readonly membership_policy?: MembershipPolicy;
}

export interface GroupUpdateParams {
  readonly name?: string;
  readonly slug?: string;
  readonly membership_policy?: MembershipPolicy;
}

/** A client in a group. */
export interface GroupMember {
  readonly object: 'group_member';
  readonly group_id: string;
  readonly client_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface GroupMemberAddParams {
  readonly client_id: string;
}

/** Cursors are client ids: a member has no id of its own. */
export type GroupMemberListParams = ListParams;

export const GROUP_OWNER_STATUSES = ['invited', 'active'] as const;
export type GroupOwnerStatus = (typeof GROUP_OWNER_STATUSES)[number];

/** A user who owns a group, or was invited to. */
export interface GroupOwner {
  readonly object: 'group_owner';
  readonly group_id: string;
  readonly user_id: string;
  readonly email: string;
  /** `invited` until the user has accepted the invitation to the tenant. */
  readonly status: GroupOwnerStatus;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface GroupOwnerInviteParams {
  /** Of a user of the tenant; of anybody else, who is then invited as a user with the role `viewer`. */
  readonly email: string;
}
