import type { LaunchClaims } from '../claims.ts';

/** The claims of requests that were let in, for as long as anybody holds the request. */
const launches = new WeakMap<object, LaunchClaims>();

/** Notes the claims of a request. */
export function setLaunch(request: object, claims: LaunchClaims): void {
  launches.set(request, claims);
}

/**
 * The claims of a launch that the adapter let in.
 *
 * @param request what the framework hands to its handlers: the request, in Hono the context
 * @throws TypeError when no adapter of this package has let it in: a route that forgot its middleware lets nobody through
 */
export function launchOf(request: object): LaunchClaims {
  const claims = launches.get(request);
  if (claims) return claims;
  throw new TypeError('This request was not let in by a launch token: the adapter has to run before.');
}
