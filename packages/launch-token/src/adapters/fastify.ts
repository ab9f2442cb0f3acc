import type { IncomingHttpHeaders } from 'node:http';
import { makeVerifier, NODE_VERIFIER_NAMES, type NodeLaunchVerifierOptions } from '../verifier.ts';
import { checkFormType, tokenOfForm, tooLarge } from './form.ts';
import { setLaunch } from './launch-of.ts';
import { type AdapterOptions, checkHandler } from './options.ts';
import { createReceiver, type Refusal, refusalOf, report } from './receive.ts';

export type { LaunchClaims } from '../claims.ts';
export { launchOf } from './launch-of.ts';
export type { AdapterOptions } from './options.ts';

/** Options of {@link fastifyLaunch}. */
export interface FastifyLaunchOptions extends NodeLaunchVerifierOptions, AdapterOptions {
  /** Path of the route, `/` by default. It is relative to the `prefix` of the plugin. */
  readonly path?: string | undefined;
}

/** The parts of a Fastify request that the adapter uses. */
export interface FastifyRequestLike {
  /** Request headers. */
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  readonly body: unknown;
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
export interface FastifyInstanceLike<Request, Reply> {
  /** Removes the parsers of the parent. */
  removeAllContentTypeParsers(): unknown;
  /** Adds a parser for forms. */
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: unknown) => Promise<unknown>,
  ): unknown;
  /** Sets the error handler of the plugin. */
  setErrorHandler(handler: (error: Error, request: unknown, reply: FastifyReplyLike) => unknown): unknown;
  /** Adds a property to each request. */
  decorateRequest(name: string, value: null): unknown;
  /** Adds a POST route. */
  post(path: string, handler: (request: Request, reply: Reply) => unknown): unknown;
}

/**
 * Creates a Fastify plugin with the POST route of a launch. Its form parser applies only within the plugin. An accepted
 * launch goes to the handler, where `launchOf(request)` (and `request.launch`) returns its claims. A refused launch
 * gets its response here.
 *
 * @example
 * async function open(request: FastifyRequest, reply: FastifyReply) {
 *   openSession(reply, launchOf(request));
 *   return reply.redirect('/', 303);
 * }
 * await app.register(fastifyLaunch({ issuer, audience, entitlement: 'analytics.view' }, open), { prefix: '/launch' });
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function fastifyLaunch<Request extends FastifyRequestLike, Reply extends FastifyReplyLike>(
  options: FastifyLaunchOptions,
  handler: (request: Request, reply: Reply) => unknown,
): (instance: FastifyInstanceLike<Request, Reply>) => Promise<void> {
  checkHandler(handler);
  const receiver = createReceiver('fastifyLaunch', options, { ...NODE_VERIFIER_NAMES, path: true }, makeVerifier);
  const { maxBytes: bodyLimit } = receiver;
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    // Accepts any type, so that a body that is not a form is refused in the same way by every adapter.
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, async (_request, body) => body);
    instance.decorateRequest('launch', null);
    instance.setErrorHandler((error, _request, reply) => {
      if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
        const refused = tooLarge(bodyLimit);
        report(options, refused);
        return send(reply, refusalOf(refused));
      }
      throw error;
    });
    instance.post(options.path ?? '/', async (request, reply) => {
      const outcome = await receiver.receive(() => tokenOf(request, bodyLimit));
      if ('refusal' in outcome) return send(reply, outcome.refusal);
      setLaunch(request, outcome.claims);
      Object.assign(request, { launch: outcome.claims });
      return handler(request, reply);
    });
  };
}

function tokenOf({ headers, body }: FastifyRequestLike, maxBytes: number): string {
  checkFormType(headers['content-type']);
  return tokenOfForm(ArrayBuffer.isView(body) ? body : '', maxBytes);
}

function send(reply: FastifyReplyLike, { status, headers, body }: Refusal): unknown {
  reply.code(status);
  reply.headers({ ...headers });
  return reply.send(body);
}
