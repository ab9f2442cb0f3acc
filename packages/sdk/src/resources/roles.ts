import type { ListParams, Role, RoleCreateParams, RoleUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Methods for roles: the capabilities that are visible to their users. Users refer to a role by its `name`. */
export interface Roles {
  /** Lists roles, including built-in ones, newest first. Scope `roles:read`. @throws ApiError `INVALID_CURSOR` */
  list(params?: ListParams, options?: ListOptions): ListCall<Role>;
  /**
   * Creates a role. Its name cannot be changed. Scope `roles:write`.
   * @throws ApiError `ROLE_NAME_IN_USE`, `QUOTA_EXCEEDED`
   */
  create(params: RoleCreateParams, options?: WriteOptions): ApiCall<Role>;
  /** Shows a role. Scope `roles:read`. @throws ApiError `ROLE_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<Role>;
  /**
   * Changes the given fields; null clears the description. Scope `roles:write`.
   * @throws ApiError `ROLE_NOT_FOUND`, `ROLE_BUILT_IN`
   */
  update(id: string, params: RoleUpdateParams, options?: CallOptions): ApiCall<Role>;
}
