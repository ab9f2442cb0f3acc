import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import type { OneTimeStore } from './store.ts';

/** Options of {@link memoryOneTimeStore}. */
export interface MemoryOneTimeStoreOptions {
  /**
   * Maximum number of remembered tokens; 100,000 by default, about 20 MB. At the maximum, further tokens are refused,
   * because a token that is forgotten early would be accepted again.
   */
  readonly maxEntries?: number | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a store in the memory of this process, for receivers with one process and for tests. A restart clears it, and
 * it is not shared with other processes.
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function memoryOneTimeStore(options: MemoryOneTimeStoreOptions = {}): OneTimeStore {
  checkNames('memoryOneTimeStore', options, { maxEntries: true, now: true });
  const { maxEntries = 100_000, now = Date.now } = options;
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new LaunchTokenError('OPTION_INVALID', 'maxEntries must be a whole number, 1 or more.');
  }
  /** Expiry time by key. */
  const taken = new Map<string, number>();
  let nextSweepAt = 0;

  function sweep(at: number): void {
    if (at < nextSweepAt) return;
    nextSweepAt = at + SWEEP_EVERY_MS;
    for (const [key, endsAt] of taken) if (endsAt <= at) taken.delete(key);
  }

  return Object.freeze<OneTimeStore>({
    claim({ key, leaseSeconds }) {
      const at = now();
      sweep(at);
      if ((taken.get(key) ?? 0) > at) return 'taken';
      if (taken.size >= maxEntries && !taken.has(key))
        throw new Error(`${maxEntries} launch tokens are remembered already`);
      taken.set(key, at + leaseSeconds * 1000);
      return 'claimed';
    },
  });
}

/** Milliseconds between two sweeps. A sweep reads every entry, which is too slow for every launch. */
const SWEEP_EVERY_MS = 10_000;
