import type { Trace, TraceParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';

/** The method for traces: from a request to each attempt to deliver its events. */
export interface TraceResource {
  /**
   * Shows all that is recorded about an id of any kind, the e-mail address of a user, or the slug of a client or group.
   * Each part needs the scope of its operation, `audit:read` or `webhooks:read`; `withheld` names the parts that the
   * credential may not read.
   * @example
   * const trace = await platform.trace.get('del_01k0z8k3v7e5q2m9t4r6w1x8c0');
   * for (const { code, cause, fix } of trace.problems) console.log(code, cause, fix);
   * @throws ApiError `TRACE_NOT_FOUND`, `INSUFFICIENT_SCOPE`, `INVALID_CURSOR`, `INVALID_REQUEST`
   */
  get(id: string, params?: TraceParams, options?: CallOptions): ApiCall<Trace>;
}
