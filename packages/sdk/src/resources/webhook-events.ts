import type { EventListParams, EventReplayParams, List, PlatformEvent, WebhookDelivery } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Methods for the events of the tenant, which are stored for 30 days. */
export interface WebhookEvents {
  /**
   * Lists events, newest first. The `type` of an event determines the type of its data. Scope `webhooks:read`.
   * @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST`
   */
  list(params?: EventListParams, options?: ListOptions): ListCall<PlatformEvent>;
  /** Shows an event. Scope `webhooks:read`. @throws ApiError `WEBHOOK_EVENT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<PlatformEvent>;
  /**
   * Sends an event again, to one endpoint or to every enabled endpoint that is subscribed to its type. Returns all new
   * deliveries in one response without pages. Each delivery starts at attempt 1. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_EVENT_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE` for an endpoint that is
   * disabled or not subscribed to the type
   */
  replay(id: string, params?: EventReplayParams, options?: WriteOptions): ApiCall<List<WebhookDelivery>>;
}
