import type { EventHandler } from './options.ts';
import { createRequestReceiver, type WebhookHandlerOptions } from './request.ts';

/**
 * Creates a function from a `Request` of the Fetch API to its `Response`, for Workers, Deno, Bun and every other
 * runtime with the Fetch API.
 *
 * @example
 * export default {
 *   fetch: webhookHandler({ secrets: SECRET }, async (event) => {
 *     if (event.type === 'client.created') await welcome(event.data);
 *   }),
 * };
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function webhookHandler(
  options: WebhookHandlerOptions,
  handler: EventHandler<Request>,
): (request: Request) => Promise<Response> {
  const receive = createRequestReceiver('webhookHandler', options, handler);
  return (request) => receive(request, request);
}
