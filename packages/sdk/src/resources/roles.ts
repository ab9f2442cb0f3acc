import type { ListParams, Role, RoleCreateParams, RoleUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Roles: what a user is in the tenant, and which capabilities that shows. Users refer to them by `name`. */
export interface Roles {
  /** Lists roles, built-in ones too, newest first. Scope `roles:read`. @throws ApiError `INVALID_CURSOR` */
  list(params?: ListParams, options?: ListOptions): ListCall<Role>;
  /** Creates a role; its name never changes. Scope `roles:write`. @throws ApiError `ROLE_NAME_IN_USE` */
  create(params: RoleCreateParams, options?: WriteOptions): ApiCall<Role>;
  /** Shows a role. Scope `roles:read`. @throws ApiError `ROLE_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<Role>;
  /**
   * Changes the fields given; null clears the description. Scope `roles:write`.
   * @throws ApiError `ROLE_NOT_FOUND`, `ROLE_BUILT_IN`
   */
  update(id: string, params: RoleUpdateParams, options?: CallOptions): ApiCall<Role>;
}
