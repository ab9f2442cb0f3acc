export type { LaunchClaims } from './claims.ts';
export { requireEntitlement } from './entitlement.ts';
export { LAUNCH_TOKEN_CODES, type LaunchTokenCode, type LaunchTokenCodeInfo, LaunchTokenError } from './errors.ts';
export type { CachedKeySet, KeySetCache } from './keys/cache.ts';
export type { Fetch } from './keys/fetch-key-set.ts';
export * from './once/index.ts';
export type { LaunchVerifierOptions } from './options.ts';
export { createLaunchVerifier, type WebLaunchVerifier } from './web-verifier.ts';
