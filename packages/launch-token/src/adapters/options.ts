import { LIMITS, type OptionNames } from '@plat/contract';
import { checkCapability } from '../entitlement.ts';
import { LaunchTokenError } from '../errors.ts';

/** What every adapter takes beside the options of its verifier. */
export interface AdapterOptions {
  /** The capability that the module gates on: a launch without it is answered with 403 `NOT_ENTITLED`. */
  readonly entitlement?: string | undefined;
  /** Bytes of the posted form at most, 32,768 by default; a larger one is answered with 413. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Is told of every launch that was not let in. By default refusals are silent, since strangers can cause them, and keys
   * that cannot be had go to `console.error`, and so does what it throws or rejects with itself.
   */
  readonly onError?: ((error: LaunchTokenError) => unknown) | undefined;
}

/** Names of the options; the compiler requires each. */
export const ADAPTER_NAMES: OptionNames<AdapterOptions> = { entitlement: true, maxBodyBytes: true, onError: true };

/** Twice the longest token. */
const DEFAULT_MAX_BODY_BYTES = 2 * LIMITS.launchTokenBytes;

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function readMaxBodyBytes({ maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: AdapterOptions): number {
  if (Number.isSafeInteger(maxBodyBytes) && maxBodyBytes > 0) return maxBodyBytes;
  throw new LaunchTokenError('OPTION_INVALID', 'maxBodyBytes has to be a whole number of bytes above 0.');
}

/** @throws {LaunchTokenError} `OPTION_INVALID` */
export function checkAdapterOptions({ entitlement, onError }: AdapterOptions): void {
  if (entitlement !== undefined) checkCapability(entitlement);
  if (onError === undefined || typeof onError === 'function') return;
  throw new LaunchTokenError('OPTION_INVALID', 'onError has to be a function.');
}
