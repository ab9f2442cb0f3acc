import type { WebhookReplay, WebhookReplayCreateParams, WebhookReplayListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Methods for replays: jobs that send failed or missed events again. */
export interface WebhookReplays {
  /** Lists replays, newest first. Scope `webhooks:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: WebhookReplayListParams, options?: ListOptions): ListCall<WebhookReplay>;
  /**
   * Starts to send failed or missed events again, to one endpoint or to every enabled one. `since` and `until` limit
   * the creation time of the events. The response does not wait for the deliveries: {@link get} shows the progress.
   * Scope `webhooks:write`.
   * @throws ApiError `INVALID_BODY` for a time window that is empty or in the future. `WEBHOOK_ENDPOINT_NOT_FOUND`.
   * `UNPROCESSABLE` for a disabled endpoint, or while five replays of the tenant have not ended
   * @example
   * ```ts
   * const replay = await platform.webhooks.replays.create({ since: '2026-11-20T00:00:00Z', select: 'failed' });
   * ```
   */
  create(params: WebhookReplayCreateParams, options?: WriteOptions): ApiCall<WebhookReplay>;
  /** Shows a replay with its progress. Scope `webhooks:read`. @throws ApiError `WEBHOOK_REPLAY_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookReplay>;
  /**
   * Cancels a replay. Deliveries that are already scheduled are still sent. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_REPLAY_NOT_FOUND`, `UNPROCESSABLE` for a replay that has ended
   */
  cancel(id: string, options?: WriteOptions): ApiCall<WebhookReplay>;
}
