import type { Tenant, TenantUpdateParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';

/** Methods for the tenant of the credential. */
export interface TenantResource {
  /** Shows the tenant. Scope `tenant:read`. */
  get(options?: CallOptions): ApiCall<Tenant>;
  /** Renames the tenant. Scope `tenant:write`. */
  update(params: TenantUpdateParams, options?: CallOptions): ApiCall<Tenant>;
}
