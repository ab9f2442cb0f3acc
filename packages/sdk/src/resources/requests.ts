import type { LoggedRequest, RequestListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** The request log: what was asked, how it was answered, and why it was refused. */
export interface Requests {
  /**
   * Lists the requests that the log keeps, newest first; reads of the log itself are not in it. Scope `audit:read`.
   * @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST`
   */
  list(params?: RequestListParams, options?: ListOptions): ListCall<LoggedRequest>;
  /**
   * Shows a request, by the `requestId` of its error or its answer. Scope `audit:read`.
   * @throws ApiError `REQUEST_NOT_FOUND`, also for what the log does not keep: a request without a valid credential,
   * one that succeeded where only failures are kept, or one that is too old
   */
  get(id: string, options?: CallOptions): ApiCall<LoggedRequest>;
}
