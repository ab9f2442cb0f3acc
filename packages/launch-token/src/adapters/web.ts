import { isNextBuild } from '@plat/contract';
import type { LaunchClaims } from '../claims.ts';
import { type LaunchVerifierOptions, VERIFIER_NAMES } from '../options.ts';
import { makeVerifier } from '../web-verifier.ts';
import { setLaunch } from './launch-of.ts';
import { type AdapterOptions, checkHandler } from './options.ts';
import { createReceiver, type Receiver } from './receive.ts';
import { tokenOfRequest, toResponse } from './request-form.ts';

export type { LaunchClaims } from '../claims.ts';
export { launchOf } from './launch-of.ts';
export type { AdapterOptions } from './options.ts';

/** Options of {@link launchHandler}. */
export interface LaunchHandlerOptions extends LaunchVerifierOptions, AdapterOptions {}

/**
 * Creates a function from a `Request` of the Fetch API to its `Response`, for Workers, Deno, Bun, Next and every other
 * runtime with the Fetch API. An accepted launch goes to the handler with its claims. A refused launch gets its
 * response here. While `next build` imports a route, invalid options throw nothing: its issuer may be an environment
 * variable of the server.
 *
 * @example
 * export const POST = launchHandler({ issuer, audience, entitlement: 'analytics.view' }, async ({ tenant, user }) => {
 *   const headers = { location: '/', 'set-cookie': await openSession(tenant, user) };
 *   return new Response(null, { status: 303, headers });
 * });
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function launchHandler(
  options: LaunchHandlerOptions,
  handler: (claims: LaunchClaims, request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  checkHandler(handler);
  const early = createEarly(options);
  return async (request) => {
    const receiver = early ?? create(options);
    const outcome = await receiver.receive(() => tokenOfRequest(request, receiver.maxBytes));
    if ('refusal' in outcome) return toResponse(outcome.refusal);
    setLaunch(request, outcome.claims);
    return handler(outcome.claims, request);
  };
}

function create(options: LaunchHandlerOptions): Receiver {
  return createReceiver('launchHandler', options, VERIFIER_NAMES, makeVerifier);
}

/** Returns null for invalid options while `next build` imports the route. The server imports it again. */
function createEarly(options: LaunchHandlerOptions): Receiver | null {
  try {
    return create(options);
  } catch (error) {
    if (isNextBuild()) return null;
    throw error;
  }
}
