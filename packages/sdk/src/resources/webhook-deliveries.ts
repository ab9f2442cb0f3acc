import type { WebhookDelivery, WebhookDeliveryListParams } from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { family, type ListOptions } from './operation.ts';

/** Attempts to deliver events, one object for each attempt. */
export interface WebhookDeliveries {
  /** Lists delivery attempts, newest first. Scope `webhooks:read`. */
  list(params?: WebhookDeliveryListParams, options?: ListOptions): ListCall<WebhookDelivery>;
  /** Shows a delivery attempt. Scope `webhooks:read`. @throws ApiError `WEBHOOK_DELIVERY_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookDelivery>;
}

export const WEBHOOK_DELIVERY_OPERATIONS = {
  list: 'webhooks.deliveries.list',
  get: 'webhooks.deliveries.get',
} as const;

export function webhookDeliveriesResource(engine: Engine): WebhookDeliveries {
  return family(engine, WEBHOOK_DELIVERY_OPERATIONS);
}
