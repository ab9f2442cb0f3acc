import type { WebhookReplay, WebhookReplayCreateParams, WebhookReplayListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Jobs that send many events again: what failed, and what came while an endpoint was disabled. */
export interface WebhookReplays {
  /** Lists replays, newest first. Scope `webhooks:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: WebhookReplayListParams, options?: ListOptions): ListCall<WebhookReplay>;
  /**
   * Begins to send the events again that were created from `since` to `until` and failed or were missed, to one endpoint
   * or to every enabled one. The answer comes before the work: {@link get} shows how far it is. Scope `webhooks:write`.
   * @throws ApiError `INVALID_BODY` for a window that is empty or lies in the future, `WEBHOOK_ENDPOINT_NOT_FOUND`,
   * `UNPROCESSABLE` for an endpoint that is disabled, or while five replays of the tenant have not ended
   * @example
   * ```ts
   * const replay = await platform.webhooks.replays.create({ since: '2026-11-20T00:00:00Z', select: 'failed' });
   * ```
   */
  create(params: WebhookReplayCreateParams, options?: WriteOptions): ApiCall<WebhookReplay>;
  /** Shows a replay with its progress. Scope `webhooks:read`. @throws ApiError `WEBHOOK_REPLAY_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookReplay>;
  /**
   * Ends a replay; what it has scheduled is still sent. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_REPLAY_NOT_FOUND`, `UNPROCESSABLE` for one that has ended
   */
  cancel(id: string, options?: WriteOptions): ApiCall<WebhookReplay>;
}
