import type {
  Deleted,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointListParams,
  WebhookEndpointUpdateParams,
  WebhookEndpointWithSecret,
  WebhookSecretRotateParams,
} from '@plat/contract';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { ListCall } from '../list/list-call.ts';
import type { ListOptions } from './operation-method.ts';

/** Webhook endpoints: where the tenant wants its events. */
export interface WebhookEndpoints {
  /** Lists webhook endpoints, newest first. Scope `webhooks:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: WebhookEndpointListParams, options?: ListOptions): ListCall<WebhookEndpoint>;
  /**
   * Creates a webhook endpoint. This answer and that of {@link rotateSecret} alone show the signing `secret`: keep it.
   * Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_URL_IN_USE`, `WEBHOOK_ENDPOINT_LIMIT`
   */
  create(params: WebhookEndpointCreateParams, options?: WriteOptions): ApiCall<WebhookEndpointWithSecret>;
  /** Shows a webhook endpoint, without its secret. Scope `webhooks:read`. @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookEndpoint>;
  /**
   * Changes the fields given; `status` disables and enables. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_IN_USE`
   */
  update(id: string, params: WebhookEndpointUpdateParams, options?: CallOptions): ApiCall<WebhookEndpoint>;
  /** Deletes a webhook endpoint; its pending deliveries end. Scope `webhooks:write`. @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND` */
  delete(id: string, options?: CallOptions): ApiCall<Deleted<'webhook_endpoint'>>;
  /**
   * Gives the endpoint a new signing secret; for `expires_in` seconds the old one signs too. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND`
   */
  rotateSecret(
    id: string,
    params?: WebhookSecretRotateParams,
    options?: WriteOptions,
  ): ApiCall<WebhookEndpointWithSecret>;
}
