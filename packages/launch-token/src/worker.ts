import { LaunchTokenError } from './errors.ts';

/*
 * The entry that bundlers for workers and browsers use as @plat/launch-token (export conditions workerd, worker,
 * edge-light, and browser without require). The verifier of the main entry requires Node's crypto.
 */
export { requireEntitlement } from './entitlement.ts';
export { LAUNCH_TOKEN_CODES, LaunchTokenError } from './errors.ts';
export * from './once/index.ts';

export function createLaunchVerifier(): never {
  throw new LaunchTokenError(
    'OPTION_INVALID',
    'createLaunchVerifier of @plat/launch-token needs Node. In a worker or a browser, import it from ' +
      '@plat/launch-token/web-crypto, or launchHandler from @plat/launch-token/web.',
  );
}
