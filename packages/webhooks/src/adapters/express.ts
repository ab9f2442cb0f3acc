import type { IncomingMessage, ServerResponse } from 'node:http';
import { readNodeBody } from '@plat/contract';
import { WebhookVerificationError } from '../errors.ts';
import type { RawBody } from '../raw-body.ts';
import { type AnyVerifierOptions, createVerifier } from '../verifier.ts';
import { deliveryIdOf, headersOf } from './node-request.ts';
import { type AdapterOptions, type EventHandler, readAdapterOptions } from './options.ts';
import { type Answer, receive } from './receive.ts';
import { tooLarge } from './too-large.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';

/** Options of {@link expressWebhook}. */
export interface ExpressWebhookOptions extends AnyVerifierOptions, AdapterOptions {}

/** The parts of an Express or `node:http` request that the adapter uses. */
export interface ExpressRequestLike extends IncomingMessage {
  /** The body as a body parser left it, if one ran. */
  body?: unknown;
  /** The raw bytes, as some hosts (Firebase, NestJS) store them. */
  rawBody?: unknown;
  /** The full path. A router removes its own part from `url`. */
  originalUrl?: string;
}

/**
 * Creates a handler for a POST route of Express 4 or 5 (or of `node:http`). It reads the raw body itself, or uses the
 * Buffer of `express.raw()`. If `express.json()` ran before, every delivery is refused with `BODY_NOT_RAW` and the fix:
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
  'and keep express.json() away from its path. In NestJS, create the application with { rawBody: true }; ' +
  'in an API route of Next.js, export const config = { api: { bodyParser: false } }.';

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
  return await readNodeBody(request, maxBytes, tooLarge);
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Closes the connection, because the rest of the oversized body is not read.
  if (status === 413) response.setHeader('connection', 'close');
  response.end(JSON.stringify(body));
}
