import { type Clock, pause } from '../call/clock.ts';
import { redactCause } from '../redact.ts';
import type { GrantLock, GrantStore, LockHolder } from './grant-store.ts';
import { GrantLockedError, GrantStoreError } from './oauth-errors.ts';
import { inTime } from './records.ts';

/**
 * Base interval in ms between two checks of a lock of another process. A random time of up to the same length is added.
 */
const POLL = 50;

/**
 * Runs `work` under the store's lock on the key, if the store has locks.
 * @throws {@link GrantLockedError} when another process holds it for longer than `timeout` ms
 */
export async function withLock<T>(
  store: GrantStore,
  key: string,
  timeout: number,
  clock: Clock,
  work: () => Promise<T>,
): Promise<T> {
  if (!store.tryLock) return work();
  const lock = await acquire(store, key, timeout, clock);
  try {
    return await work();
  } finally {
    // The work is done. A lock that cannot be released expires like that of a killed process.
    await inTime(key, clock, lock.release()).catch(() => {});
  }
}

/** Waits a short random time for another process. */
export function pauseForOther(clock: Clock): Promise<void> {
  return pause(clock, POLL * (1 + clock.random()));
}

async function acquire(store: GrantStore, key: string, timeout: number, clock: Clock): Promise<GrantLock> {
  const deadline = clock.now() + timeout;
  for (;;) {
    const tried = await tryLock(store, key, clock);
    if (!('heldBy' in tried)) return tried;
    if (clock.now() >= deadline) throw new GrantLockedError(key, tried.heldBy, timeout);
    await pauseForOther(clock);
  }
}

async function tryLock(store: GrantStore, key: string, clock: Clock): Promise<GrantLock | LockHolder> {
  const asked = (async () => (await store.tryLock?.(key)) ?? { release: async () => {} })();
  try {
    return await inTime(key, clock, asked);
  } catch (error) {
    // The lock can be acquired after the time-out.
    asked.then((late) => ('release' in late ? late.release() : undefined)).catch(() => {});
    if (error instanceof GrantStoreError) throw error;
    const cause = redactCause(error);
    throw new GrantStoreError(key, `could not lock it: ${cause.message}`, { cause, retryable: true });
  }
}
