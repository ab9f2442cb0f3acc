import type { LoggedRequest, RequestListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Methods for the request log: the requests of the tenant with their outcome and error. */
export interface Requests {
  /**
   * Lists the entries of the request log, newest first. Reads of the log itself are not logged. Scope `audit:read`.
   * @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST`
   */
  list(params?: RequestListParams, options?: ListOptions): ListCall<LoggedRequest>;
  /**
   * Shows a request by the `requestId` of its error or response. Scope `audit:read`.
   * @throws ApiError `REQUEST_NOT_FOUND`, also for requests that are not logged: a request without a valid credential,
   * one that succeeded where only failures are kept, or one that is too old
   */
  get(id: string, options?: CallOptions): ApiCall<LoggedRequest>;
}
