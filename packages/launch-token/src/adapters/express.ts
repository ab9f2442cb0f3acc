import type { IncomingMessage, ServerResponse } from 'node:http';
import { readNodeBody } from '@plat/contract';
import type { LaunchClaims } from '../claims.ts';
import { LaunchTokenError } from '../errors.ts';
import { makeVerifier, NODE_VERIFIER_NAMES, type NodeLaunchVerifierOptions } from '../verifier.ts';
import { checkFormType, tokenOfFields, tokenOfForm, tooLarge } from './form.ts';
import { setLaunch } from './launch-of.ts';
import type { AdapterOptions } from './options.ts';
import { createReceiver, type Refusal } from './receive.ts';

export type { LaunchClaims } from '../claims.ts';
export { launchOf } from './launch-of.ts';
export type { AdapterOptions } from './options.ts';

/** Options of {@link expressLaunch}. */
export interface ExpressLaunchOptions extends NodeLaunchVerifierOptions, AdapterOptions {}

/** The parts of an Express request that the adapter uses. */
export interface ExpressRequestLike extends IncomingMessage {
  /** The body as a body parser left it, if one ran. */
  body?: unknown;
  /** Claims of an accepted launch. */
  launch?: LaunchClaims;
}

/**
 * Creates middleware for the POST route of a launch, in Express 4 or 5. It reads the form itself, or uses the result of
 * `express.urlencoded()`. An accepted launch continues with the next handler, where `launchOf(request)` (and
 * `request.launch`) returns its claims. A refused launch gets its response here.
 *
 * @example
 * app.post('/launch', expressLaunch({ issuer, audience, entitlement: 'analytics.view' }), (request, response) => {
 *   const { tenant, user } = launchOf(request);
 *   openSession(response, { tenant, user });
 * });
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function expressLaunch(
  options: ExpressLaunchOptions,
): (request: ExpressRequestLike, response: ServerResponse, next: (error?: unknown) => void) => Promise<void> {
  const receiver = createReceiver('expressLaunch', options, NODE_VERIFIER_NAMES, makeVerifier);
  return async (request, response, next) => {
    // Express 4 ignores promises, so every error must go to next.
    try {
      const outcome = await receiver.receive(() => tokenOf(request, receiver.maxBytes));
      if ('refusal' in outcome) return send(response, outcome.refusal);
      setLaunch(request, outcome.claims);
      request.launch = outcome.claims;
    } catch (error) {
      return next(error);
    }
    next();
  };
}

async function tokenOf(request: ExpressRequestLike, maxBytes: number): Promise<string> {
  checkFormType(request.headers['content-type']);
  const { body } = request;
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return tokenOfForm(body, maxBytes);
  if (!request.readableDidRead && !request.readableEnded) {
    return tokenOfForm(await readNodeBody(request, maxBytes, tooLarge), maxBytes);
  }
  if (typeof body === 'object' && body !== null) return tokenOfFields(body);
  throw new LaunchTokenError('TOKEN_MISSING', 'Something has read the request before, and left no body.');
}

function send(response: ServerResponse, { status, headers, body }: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Closes the connection, because the rest of the oversized body is not read.
  if (status === 413) response.setHeader('connection', 'close');
  response.end(JSON.stringify(body));
}
