import { isNextBuild } from '@plat/contract';
import type { EventHandler } from './options.ts';
import { createRequestReceiver, type WebhookHandlerOptions } from './request.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';
export type { WebhookHandlerOptions } from './request.ts';

/**
 * Creates the `POST` function of a Next.js route handler (`app/…/route.ts`), for the Node and the edge runtime. Next
 * passes the body unread. While `next build` runs, the options are not checked: the secret is an environment variable
 * of the server.
 *
 * @example
 * export const POST = nextWebhook({ secrets: process.env.WEBHOOK_SECRET ?? '' }, async (event) => {
 *   if (event.type === 'client.created') await welcome(event.data);
 * });
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function nextWebhook<R extends Request = Request>(
  options: WebhookHandlerOptions,
  handler: EventHandler<R>,
): (request: R) => Promise<Response> {
  const create = () => createRequestReceiver('nextWebhook', options, handler);
  if (isNextBuild()) return (request) => create()(request, request);
  const receive = create();
  return (request) => receive(request, request);
}
