import type { ListParams } from './list.ts';

export const USER_STATUSES = ['invited', 'active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A person of the tenant. */
export interface User {
  readonly object: 'user';
  readonly id: string;
  /** Unique in the tenant, whatever its case. */
  readonly email: string;
  readonly name: string | null;
  /** Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own. */
  readonly role: string;
  /** `suspended` after a deactivation, which is for ever: the record is kept for audit. */
  readonly status: UserStatus;
  /** The client that the user belongs to. */
  readonly client_id: string | null;
  readonly location_id: string | null;
  readonly activated_at: string | null;
  readonly deactivated_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface UserCreateParams {
  readonly email: string;
  /** Name of a role of the tenant. */
  readonly role: string;
  readonly name?: string | null;
  readonly client_id?: string | null;
  /** A location of that client, or of a group. */
  readonly location_id?: string | null;
}

export interface UserUpdateParams {
  readonly name?: string | null;
  readonly role?: string;
  readonly client_id?: string | null;
  readonly location_id?: string | null;
}

export interface UserListParams extends ListParams {
  readonly status?: UserStatus;
  readonly role?: string;
  readonly client_id?: string;
  /** Compared whatever its case. */
  readonly email?: string;
}

/** `data` of user.role_changed (specification, user role change payload). */
export interface UserRoleChange {
  readonly object: 'user';
  readonly id: string;
  readonly email: string;
  readonly previous_role: string;
  readonly new_role: string;
  /** Id of the acting user; behind a key or an app, the user who minted the key or gave the consent. */
  readonly changed_by: string;
  readonly changed_at: string;
}
