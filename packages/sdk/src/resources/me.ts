import type { Me } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';

/** What the credential is. */
export interface MeResource {
  /** Shows which tenant, type and scopes the credential has. Any valid credential may ask. */
  get(options?: CallOptions): ApiCall<Me>;
}
