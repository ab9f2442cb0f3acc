import type { IncomingMessage, ServerResponse } from 'node:http';
import { WebhookVerificationError } from '../errors.ts';
import type { RawBody } from '../raw-body.ts';
import { type AnyVerifierOptions, createVerifier } from '../verifier.ts';
import { deliveryIdOf, headersOf, readNodeBody } from './node-request.ts';
import { type AdapterOptions, type EventHandler, readAdapterOptions } from './options.ts';
import { type Answer, receive } from './receive.ts';
import { tooLarge } from './too-large.ts';

export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';

/** Options of {@link expressWebhook}. */
export interface ExpressWebhookOptions extends AnyVerifierOptions, AdapterOptions {}

/** A request of Express, or of plain `node:http`: the adapter needs no more of it. */
export interface ExpressRequestLike extends IncomingMessage {
  /** What a body parser left, if one ran. */
  body?: unknown;
  /** The bytes, as some hosts (Firebase, NestJS) keep them. */
  rawBody?: unknown;
  /** The whole path, where a router has taken its part off `url`. */
  originalUrl?: string;
}

/**
 * A handler for a POST route of Express 4 or 5 (and of `node:http`). It reads the raw body itself, or takes the Buffer
 * that `express.raw()` left. Where `express.json()` ran before, every delivery is refused with `BODY_NOT_RAW` and the fix:
 * put this route before `app.use(express.json())`.
 *
 * @example
 * app.post('/webhooks', expressWebhook({ secrets: process.env.WEBHOOK_SECRET ?? '' }, async (event) => {
 *   if (event.type === 'client.created') await welcome(event.data);
 * }));
 * app.use(express.json());
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function expressWebhook<R extends ExpressRequestLike = ExpressRequestLike>(
  options: ExpressWebhookOptions,
  handler: EventHandler<R>,
): (request: R, response: ServerResponse) => Promise<void> {
  const { verifier: verifierOptions, maxBytes } = readAdapterOptions('expressWebhook', options, handler);
  const verifier = createVerifier(verifierOptions);
  return async (request, response) => {
    const headers = headersOf(request);
    const answer = await receive(
      {
        verify: async () =>
          verifier.verifyDelivery(await rawBodyOf(request, maxBytes), headers, {
            url: request.originalUrl ?? request.url,
          }),
        handle: ({ event, secret }) => handler(event, { deliveryId: deliveryIdOf(headers), request, secret }),
      },
      options,
    );
    send(response, answer);
  };
}

const FIX =
  'Put the webhook route before app.use(express.json()), or give it express.raw({ type: "application/json" }) ' +
  'and keep express.json() away from its path.';

async function rawBodyOf(request: ExpressRequestLike, maxBytes: number): Promise<RawBody> {
  for (const body of [request.rawBody, request.body]) {
    if (typeof body !== 'string' && !ArrayBuffer.isView(body)) continue;
    const bytes = typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
  if (request.readableDidRead || request.readableEnded) {
    const cause = request.body === undefined ? 'Something has read the request already.' : 'A body parser ran before.';
    throw new WebhookVerificationError('BODY_NOT_RAW', `${cause} ${FIX}`);
  }
  return await readNodeBody(request, maxBytes);
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // The rest of a body that was too large is not worth a connection.
  if (status === 413) response.setHeader('connection', 'close');
  response.end(JSON.stringify(body));
}
