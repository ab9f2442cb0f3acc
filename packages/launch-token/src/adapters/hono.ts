import type { LaunchClaims } from '../claims.ts';
import { type LaunchVerifierOptions, VERIFIER_NAMES } from '../options.ts';
import { makeVerifier } from '../web-verifier.ts';
import { checkFormType, tokenOfFields, tokenOfForm } from './form.ts';
import { setLaunch } from './launch-of.ts';
import type { AdapterOptions } from './options.ts';
import { createReceiver } from './receive.ts';
import { tokenOfRequest, toResponse } from './request-form.ts';

export type { LaunchClaims } from '../claims.ts';
export { launchOf } from './launch-of.ts';
export type { AdapterOptions } from './options.ts';

/** Options of {@link honoLaunch}. */
export interface HonoLaunchOptions extends LaunchVerifierOptions, AdapterOptions {}

/** The parts of a Hono context that the adapter uses. */
export interface HonoContextLike {
  /** The Hono request. */
  readonly req: {
    /** The `Request` of the Fetch API. */
    readonly raw: Request;
    /** Bodies that earlier middleware has read, by kind. */
    readonly bodyCache?: object;
  };
  /** Stores the claims for the following handlers. */
  set(name: 'launch', claims: LaunchClaims): void;
}

/** Variables for `new Hono<{ Variables: LaunchVariables }>()`, which give `context.get('launch')` its type. */
export interface LaunchVariables {
  /** Verified claims of the launch. */
  launch: LaunchClaims;
}

/**
 * Creates middleware for the POST route of a launch in Hono, on every runtime that Hono supports. An accepted launch
 * continues with the next handler, where `launchOf(context)` (and `context.get('launch')`) returns its claims. A
 * refused launch gets its response here.
 *
 * @example
 * app.post('/launch', honoLaunch({ issuer, audience, entitlement: 'analytics.view' }), async (context) => {
 *   await openSession(context, launchOf(context));
 *   return context.redirect('/', 303);
 * });
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function honoLaunch<C extends HonoContextLike = HonoContextLike>(
  options: HonoLaunchOptions,
): (context: C, next: () => Promise<void>) => Promise<Response | undefined> {
  const receiver = createReceiver('honoLaunch', options, VERIFIER_NAMES, makeVerifier);
  return async (context, next) => {
    const outcome = await receiver.receive(() => tokenOf(context, receiver.maxBytes));
    if ('refusal' in outcome) return toResponse(outcome.refusal);
    setLaunch(context, outcome.claims);
    context.set('launch', outcome.claims);
    await next();
    return undefined;
  };
}

async function tokenOf({ req: { raw, bodyCache = {} } }: HonoContextLike, maxBytes: number): Promise<string> {
  if (!raw.bodyUsed) return tokenOfRequest(raw, maxBytes);
  checkFormType(raw.headers.get('content-type'));
  const text: unknown = await Reflect.get(bodyCache, 'text');
  const bytes: unknown = await Reflect.get(bodyCache, 'arrayBuffer');
  const form = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : text;
  if (typeof form === 'string' || form instanceof Uint8Array) return tokenOfForm(form, maxBytes);
  const fields: unknown = await Reflect.get(bodyCache, 'formData');
  return typeof fields === 'object' && fields !== null ? tokenOfFields(fields) : tokenOfRequest(raw, maxBytes);
}
