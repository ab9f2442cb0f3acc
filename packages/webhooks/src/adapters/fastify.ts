import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { WebhookVerificationError } from '../errors.ts';
import type { RawBody } from '../raw-body.ts';
import { type AnyVerifierOptions, createVerifier } from '../verifier.ts';
import { deliveryIdOf, headersOf } from './node-request.ts';
import { type AdapterOptions, type EventHandler, readAdapterOptions } from './options.ts';
import { type Answer, receive, refusal, report } from './receive.ts';
import { tooLarge } from './too-large.ts';

// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from '../index.ts';
export type { AdapterOptions, DeliveryContext, EventHandler } from './options.ts';

/** Options of {@link fastifyWebhook}. */
export interface FastifyWebhookOptions extends AnyVerifierOptions, AdapterOptions {
  /** Path of the route, `/` by default. It is relative to the `prefix` of the plugin. */
  readonly path?: string | undefined;
}

/** The parts of a Fastify request that the adapter uses. */
export interface FastifyRequestLike {
  /** Request headers. */
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  readonly body: unknown;
  /** The request of Node.js. */
  readonly raw: IncomingMessage;
}

/** The parts of a Fastify reply that the adapter uses. */
export interface FastifyReplyLike {
  /** Sets the HTTP status. */
  code(status: number): unknown;
  /** Sets response headers. */
  headers(values: Record<string, string>): unknown;
  /** Sends the response. */
  send(payload: unknown): unknown;
}

/** The parts of a Fastify instance that the adapter uses. */
export interface FastifyInstanceLike {
  /** Removes the parsers of the parent. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser that keeps the raw body. */
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: unknown) => Promise<unknown>,
  ): unknown;
  /** Sets the error handler of the plugin. */
  setErrorHandler(handler: (error: Error, request: unknown, reply: FastifyReplyLike) => unknown): unknown;
  /** Adds a POST route. */
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown): unknown;
}

/**
 * Creates a Fastify plugin with one POST route. Its content type parser, which keeps the raw bytes, applies only within
 * the plugin: the rest of the application still parses JSON.
 *
 * @example
 * await app.register(fastifyWebhook({ secrets: process.env.WEBHOOK_SECRET ?? '' }, async (event) => {
 *   if (event.type === 'client.created') await welcome(event.data);
 * }), { prefix: '/webhooks' });
 *
 * @throws {WebhookConfigurationError} `SECRETS_MISSING`, `SECRET_INVALID`, `TOLERANCE_INVALID`, `CLOCK_INVALID`,
 *   `OPTION_INVALID`
 */
export function fastifyWebhook(
  options: FastifyWebhookOptions,
  handler: EventHandler<FastifyRequestLike>,
): (instance: FastifyInstanceLike) => Promise<void> {
  const { verifier: verifierOptions, maxBytes: bodyLimit } = readAdapterOptions('fastifyWebhook', options, handler, {
    path: true,
  });
  const verifier = createVerifier(verifierOptions);
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_request, body) => body);
    instance.setErrorHandler((error, _request, reply) => {
      if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
        const refused = tooLarge(bodyLimit);
        report(options, refused, undefined);
        return send(reply, refusal(refused));
      }
      throw error;
    });
    instance.post(options.path ?? '/', async (request, reply) => {
      const headers = headersOf(request.raw);
      const answer = await receive(
        {
          verify: () => verifier.verifyDelivery(rawBodyOf(request.body), headers, { url: request.raw.url }),
          handle: ({ event, secret }) => handler(event, { deliveryId: deliveryIdOf(headers), request, secret }),
        },
        options,
      );
      return send(reply, answer);
    });
  };
}

/** Returns the raw body. A request without a body reaches no parser, so that Fastify leaves undefined or null. */
function rawBodyOf(body: unknown): RawBody {
  if (body === undefined || body === null) return '';
  // Works across realms: test runners give programs their own Uint8Array.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new WebhookVerificationError(
    'BODY_NOT_RAW',
    'A hook replaced the body before the verification: keep preParsing and preValidation hooks away from this plugin.',
  );
}

function send(reply: FastifyReplyLike, { status, headers, body }: Answer): unknown {
  reply.code(status);
  reply.headers({ ...headers });
  return reply.send(body);
}
