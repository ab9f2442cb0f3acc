export const USER_STATUSES = ['invited', 'active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A person of the tenant. */
export interface User {
  readonly object: 'user';
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  /** Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own. */
  readonly role: string;
  readonly status: UserStatus;
  readonly client_id: string | null;
  readonly location_id: string | null;
  readonly activated_at: string | null;
  readonly deactivated_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** `data` of user.role_changed (specification, user role change payload). */
export interface UserRoleChange {
  readonly object: 'user';
  readonly id: string;
  readonly email: string;
  readonly previous_role: string;
  readonly new_role: string;
  /** Id of the acting user. */
  readonly changed_by: string;
  readonly changed_at: string;
}
