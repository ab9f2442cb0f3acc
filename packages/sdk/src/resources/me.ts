import type { Me } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';

/** Methods for the credential of the client. */
export interface MeResource {
  /** Shows tenant, type and scopes of the credential. It requires no scope. */
  get(options?: CallOptions): ApiCall<Me>;
}
