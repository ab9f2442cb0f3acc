import { LaunchTokenError } from './errors.ts';

/*
 * What bundlers for workers (export conditions workerd, worker, edge-light) find as @plat/launch-token: the verifier of the
 * main entry needs Node's crypto.
 */
export { requireEntitlement } from './entitlement.ts';
export { LAUNCH_TOKEN_CODES, LaunchTokenError } from './errors.ts';
export * from './once/index.ts';

export function createLaunchVerifier(): never {
  throw new LaunchTokenError(
    'OPTION_INVALID',
    'createLaunchVerifier of @plat/launch-token needs Node. In a worker, import it from @plat/launch-token/web-crypto, ' +
      'or launchHandler from @plat/launch-token/web.',
  );
}
