import type { Deleted, User, UserCreateParams, UserListParams, UserUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/**
 * Methods for the users of the tenant. A user is `invited`, then `active` after accepting, and `suspended` after a
 * deactivation.
 */
export interface Users {
  /** Lists users, newest first. Scope `users:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: UserListParams, options?: ListOptions): ListCall<User>;
  /**
   * Creates a user and sends the invitation. Scope `users:write`. Emits `user.invited`.
   * @throws ApiError `EMAIL_IN_USE`, `ROLE_NOT_FOUND`, `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `UNPROCESSABLE` for a
   * location of another client, `QUOTA_EXCEEDED`, `MAIL_LIMIT_REACHED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   */
  create(params: UserCreateParams, options?: WriteOptions): ApiCall<User>;
  /** Shows a user. Scope `users:read`. @throws ApiError `USER_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<User>;
  /**
   * Changes the given fields; null clears name, client or location. Scope `users:write`. Emits `user.role_changed` if
   * the role changed.
   * @throws ApiError `USER_NOT_FOUND`, `ROLE_NOT_FOUND`, `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `UNPROCESSABLE` for a
   * location of another client, `LAST_OWNER_PROTECTED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   */
  update(id: string, params: UserUpdateParams, options?: CallOptions): ApiCall<User>;
  /**
   * Sends the invitation of an invited user again. Earlier links stop working. Scope `users:write`. Emits
   * `user.invited`.
   * @throws ApiError `USER_NOT_FOUND`, `USER_NOT_INVITED`, `MAIL_LIMIT_REACHED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   */
  invite(id: string, options?: WriteOptions): ApiCall<User>;
  /**
   * Deactivates an active user permanently. The record is kept for audit, and the user no longer owns groups. Scope
   * `users:write`. Emits `user.deactivated`, and `group.owner_removed` for each group.
   * @throws ApiError `USER_NOT_FOUND`, `UNPROCESSABLE` for a user who has not accepted yet (see {@link delete}),
   * `LAST_OWNER_PROTECTED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   */
  deactivate(id: string, options?: WriteOptions): ApiCall<User>;
  /**
   * Withdraws the invitation of a user who has not accepted it, and deletes the user. Scope `users:write`. Emits
   * `group.owner_removed` for each group that the user was invited to own.
   * @throws ApiError `USER_NOT_FOUND`, `USER_NOT_DELETABLE`, `OAUTH_CANNOT_MANAGE_OWNERS`
   */
  delete(id: string, options?: CallOptions): ApiCall<Deleted<'user'>>;
}
