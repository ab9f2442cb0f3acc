import type { EventHandler } from './options.ts';
import { createRequestReceiver, type UnreadRequest, type WebhookHandlerOptions } from './request.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';
export type { UnreadRequest, WebhookHandlerOptions } from './request.ts';

/** The response of a function, as `HttpResponseInit` of `@azure/functions` describes it. */
export interface AzureResponse {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: Record<string, string>;
  /** Body as text. */
  readonly body: string;
}

/**
 * Creates the handler of an HTTP function of Azure Functions with the programming model 4.
 *
 * @example
 * app.http('webhooks', {
 *   methods: ['POST'],
 *   authLevel: 'anonymous',
 *   handler: azureWebhook({ secrets: process.env.WEBHOOK_SECRET ?? '' }, async (event) => {
 *     if (event.type === 'client.created') await welcome(event.data);
 *   }),
 * });
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function azureWebhook<R extends UnreadRequest = UnreadRequest>(
  options: WebhookHandlerOptions,
  handler: EventHandler<R>,
): (request: R) => Promise<AzureResponse> {
  const receive = createRequestReceiver('azureWebhook', options, handler);
  return async (request) => {
    const response = await receive(request, request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  };
}
