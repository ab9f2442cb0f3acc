import type { LaunchClaims } from '../claims.ts';

/** Claims by accepted request. An entry lives as long as its request object. */
const launches = new WeakMap<object, LaunchClaims>();

/** Stores the claims of a request. */
export function setLaunch(request: object, claims: LaunchClaims): void {
  launches.set(request, claims);
}

/**
 * Returns the claims of a launch that the adapter accepted.
 * @param request the object that the framework passes to its handlers: the request, or in Hono the context
 * @throws TypeError if no adapter of this package accepted it, so that a route without the middleware is closed
 */
export function launchOf(request: object): LaunchClaims {
  const claims = launches.get(request);
  if (claims) return claims;
  throw new TypeError('This request has no accepted launch token: the adapter must run first.');
}
