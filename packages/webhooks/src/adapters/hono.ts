import { WebhookVerificationError } from '../errors.ts';
import type { RawBody } from '../raw-body.ts';
import type { EventHandler } from './options.ts';
import { createRequestReceiver, type WebhookHandlerOptions } from './request.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';
export type { WebhookHandlerOptions } from './request.ts';

/** The parts of a Hono context that the adapter uses. */
export interface HonoContextLike {
  /** The Hono request. */
  readonly req: {
    /** The `Request` of the Fetch API. */
    readonly raw: Request;
    /** Bodies that earlier middleware has read, by kind. */
    readonly bodyCache?: object;
  };
}

/**
 * Creates a handler for a POST route of Hono, on every runtime that Hono supports. If earlier middleware read the body,
 * the bytes or the text that Hono cached are verified. If only parsed JSON is left, the delivery is refused with
 * `BODY_NOT_RAW`.
 *
 * @example
 * app.post('/webhooks', honoWebhook({ secrets: SECRET }, async (event) => {
 *   if (event.type === 'client.created') await welcome(event.data);
 * }));
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function honoWebhook<C extends HonoContextLike = HonoContextLike>(
  options: WebhookHandlerOptions,
  handler: EventHandler<C>,
): (context: C) => Promise<Response> {
  const receive = createRequestReceiver('honoWebhook', options, handler);
  return (context) => {
    const { raw, bodyCache = {} } = context.req;
    return raw.bodyUsed ? receive(raw, context, () => keptBody(bodyCache)) : receive(raw, context);
  };
}

async function keptBody(cache: object): Promise<RawBody> {
  const bytes: unknown = await Reflect.get(cache, 'arrayBuffer');
  if (bytes instanceof ArrayBuffer) return bytes;
  const text: unknown = await Reflect.get(cache, 'text');
  if (typeof text === 'string') return text;
  throw new WebhookVerificationError(
    'BODY_NOT_RAW',
    'Middleware has read the request, and neither its bytes nor its text were kept: put this route before it.',
  );
}
