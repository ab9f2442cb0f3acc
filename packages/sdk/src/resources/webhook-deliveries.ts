import type { WebhookDelivery, WebhookDeliveryListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Methods for the attempts to deliver events. Each attempt is one object. */
export interface WebhookDeliveries {
  /** Lists delivery attempts, newest first. Scope `webhooks:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: WebhookDeliveryListParams, options?: ListOptions): ListCall<WebhookDelivery>;
  /** Shows a delivery attempt. Scope `webhooks:read`. @throws ApiError `WEBHOOK_DELIVERY_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookDelivery>;
}
