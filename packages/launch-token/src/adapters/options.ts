import { LIMITS, type OptionNames } from '@plat/contract';
import { checkCapability } from '../entitlement.ts';
import { LaunchTokenError } from '../errors.ts';

/** Options of every adapter besides those of its verifier. */
export interface AdapterOptions {
  /** Capability that the module requires. A launch without it gets 403 `NOT_ENTITLED`. */
  readonly entitlement?: string | undefined;
  /** Maximum size of the posted form in bytes; 32,768 by default. A larger form gets 413. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Called for every refused launch. By default refusals are not logged, because anyone on the internet can cause them.
   * Unavailable keys, and failures of this function, are written to `console.error`.
   */
  readonly onError?: ((error: LaunchTokenError) => unknown) | undefined;
}

/** Names of the options; the compiler requires each. */
export const ADAPTER_NAMES: OptionNames<AdapterOptions> = { entitlement: true, maxBodyBytes: true, onError: true };

/** Twice the maximum size of a token. */
const DEFAULT_MAX_BODY_BYTES = 2 * LIMITS.launchTokenBytes;

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function readMaxBodyBytes({ maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: AdapterOptions): number {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0) return maxBodyBytes;
  throw new LaunchTokenError('OPTION_INVALID', 'maxBodyBytes must be a whole number of bytes above 0.');
}

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function checkAdapterOptions({ entitlement, onError }: AdapterOptions): void {
  if (entitlement !== undefined) checkCapability(entitlement);
  if (onError === undefined || typeof onError === 'function') return;
  throw new LaunchTokenError('OPTION_INVALID', 'onError must be a function.');
}

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function checkHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new LaunchTokenError('OPTION_INVALID', 'The second argument must be the function that answers a launch.');
}
