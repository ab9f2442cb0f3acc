import type { EventListParams, EventReplayParams, List, PlatformEvent, WebhookDelivery } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Events of the tenant, kept for 30 days. */
export interface WebhookEvents {
  /**
   * Lists events, newest first, each told apart by its `type`. Scope `webhooks:read`.
   * @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST`
   */
  list(params?: EventListParams, options?: ListOptions): ListCall<PlatformEvent>;
  /** Shows an event. Scope `webhooks:read`. @throws ApiError `WEBHOOK_EVENT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<PlatformEvent>;
  /**
   * Sends an event again, to one endpoint or to every enabled one that wants its type, and answers the new deliveries:
   * all of them, in one answer that is not paged. Each starts at attempt 1. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_EVENT_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE` for an endpoint that is
   * disabled or does not want the type
   */
  replay(id: string, params?: EventReplayParams, options?: WriteOptions): ApiCall<List<WebhookDelivery>>;
}
