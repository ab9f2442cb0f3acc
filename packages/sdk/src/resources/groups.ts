import type {
  Deleted,
  Group,
  GroupCreateParams,
  GroupMember,
  GroupMemberAddParams,
  GroupOwner,
  GroupOwnerInviteParams,
  GroupUpdateParams,
  ListParams,
} from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { Locations } from './locations.ts';
import type { ListOptions } from './operation-method.ts';

/** Groups of clients, with their members, owners and locations. */
export interface Groups {
  /** Members: the clients in a group. */
  readonly members: GroupMembers;
  /** Owners: the users who own a group. */
  readonly owners: GroupOwners;
  /** The locations of a group; `ownerId` is the id of the group. */
  readonly locations: Locations;
  /** Lists groups, newest first. Scope `groups:read`. @throws ApiError `INVALID_CURSOR` */
  list(params?: ListParams, options?: ListOptions): ListCall<Group>;
  /**
   * Creates a group. Without a slug, it is derived from the name. Scope `groups:write`. Emits `group.created`.
   * @throws ApiError `SLUG_IN_USE`, `QUOTA_EXCEEDED`
   */
  create(params: GroupCreateParams, options?: WriteOptions): ApiCall<Group>;
  /** Shows a group. Scope `groups:read`. @throws ApiError `GROUP_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<Group>;
  /**
   * Changes the given fields. Scope `groups:write`. Emits `group.updated` if a field changed.
   * @throws ApiError `GROUP_NOT_FOUND`, `SLUG_IN_USE`
   */
  update(id: string, params: GroupUpdateParams, options?: CallOptions): ApiCall<Group>;
  /**
   * Deletes a group permanently, with its members, owners and locations. Scope `groups:write`. Emits `group.deleted`.
   * @throws ApiError `GROUP_NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): ApiCall<Deleted<'group'>>;
}

/** The clients in a group. A member has no separate id: it is identified by group and client. */
export interface GroupMembers {
  /**
   * Lists the clients in a group, the newest client first. Cursors are client ids. Scope `groups:read`.
   * @throws ApiError `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   */
  list(groupId: string, params?: ListParams, options?: ListOptions): ListCall<GroupMember>;
  /**
   * Adds a client to a group, under every membership policy. Scope `groups:write`. Emits `group.member_added`.
   * @throws ApiError `GROUP_NOT_FOUND`, `CLIENT_NOT_FOUND`, `ALREADY_MEMBER`, `QUOTA_EXCEEDED`
   */
  add(groupId: string, params: GroupMemberAddParams, options?: WriteOptions): ApiCall<GroupMember>;
  /**
   * Shows the membership of a client in a group. Scope `groups:read`.
   * @throws ApiError `GROUP_NOT_FOUND`, `GROUP_MEMBER_NOT_FOUND`
   */
  get(groupId: string, clientId: string, options?: CallOptions): ApiCall<GroupMember>;
  /**
   * Removes a client from a group. The `id` of the response is that of the client. Scope `groups:write`. Emits
   * `group.member_removed`.
   * @throws ApiError `GROUP_NOT_FOUND`, `GROUP_MEMBER_NOT_FOUND`
   */
  remove(groupId: string, clientId: string, options?: CallOptions): ApiCall<Deleted<'group_member'>>;
}

/**
 * The users who own a group or are invited to own it. An owner has no separate id: it is identified by group and user.
 */
export interface GroupOwners {
  /**
   * Lists the owners of a group, the newest user first. Cursors are user ids. Scope `groups:read`.
   * @throws ApiError `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   */
  list(groupId: string, params?: ListParams, options?: ListOptions): ListCall<GroupOwner>;
  /**
   * Invites a person to own a group. A person who is not a user of the tenant is also invited as a user with the role
   * `viewer`. Scope `groups:write`. Emits `group.owner_invited`, and `user.invited` for a new user.
   * @throws ApiError `GROUP_NOT_FOUND`, `ALREADY_OWNER`, `UNPROCESSABLE` for a suspended user, `QUOTA_EXCEEDED`,
   * `MAIL_LIMIT_REACHED`
   */
  invite(groupId: string, params: GroupOwnerInviteParams, options?: WriteOptions): ApiCall<GroupOwner>;
  /** Shows an owner of a group. Scope `groups:read`. @throws ApiError `GROUP_NOT_FOUND`, `GROUP_OWNER_NOT_FOUND` */
  get(groupId: string, userId: string, options?: CallOptions): ApiCall<GroupOwner>;
  /**
   * Removes an owner of a group. The user is not deleted. The `id` of the response is that of the user. Scope
   * `groups:write`. Emits `group.owner_removed`.
   * @throws ApiError `GROUP_NOT_FOUND`, `GROUP_OWNER_NOT_FOUND`
   */
  remove(groupId: string, userId: string, options?: CallOptions): ApiCall<Deleted<'group_owner'>>;
}
