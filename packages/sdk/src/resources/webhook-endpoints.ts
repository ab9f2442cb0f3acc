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

/** Methods for webhook endpoints: the URLs that receive the events of the tenant. */
export interface WebhookEndpoints {
  /** Lists webhook endpoints, newest first. Scope `webhooks:read`. @throws ApiError `INVALID_CURSOR`, `INVALID_REQUEST` */
  list(params?: WebhookEndpointListParams, options?: ListOptions): ListCall<WebhookEndpoint>;
  /**
   * Creates a webhook endpoint. Store its signing `secret`: only this response and that of {@link rotateSecret} show
   * it. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_URL_IN_USE`, `WEBHOOK_ENDPOINT_LIMIT`
   */
  create(params: WebhookEndpointCreateParams, options?: WriteOptions): ApiCall<WebhookEndpointWithSecret>;
  /** Shows a webhook endpoint, without its secret. Scope `webhooks:read`. @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND` */
  get(id: string, options?: CallOptions): ApiCall<WebhookEndpoint>;
  /**
   * Changes the given fields; `status` disables and enables the endpoint. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_IN_USE`
   */
  update(id: string, params: WebhookEndpointUpdateParams, options?: CallOptions): ApiCall<WebhookEndpoint>;
  /**
   * Deletes a webhook endpoint and ends its pending deliveries. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND`
   */
  delete(id: string, options?: CallOptions): ApiCall<Deleted<'webhook_endpoint'>>;
  /**
   * Creates a new signing secret for the endpoint. Deliveries are also signed with the old one for `expires_in`
   * seconds. Scope `webhooks:write`.
   * @throws ApiError `WEBHOOK_ENDPOINT_NOT_FOUND`
   */
  rotateSecret(
    id: string,
    params?: WebhookSecretRotateParams,
    options?: WriteOptions,
  ): ApiCall<WebhookEndpointWithSecret>;
}
