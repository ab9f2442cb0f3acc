import { WebhookConfigurationError } from '../errors.ts';
import { checkOptions } from '../options.ts';
import type { DedupeStore } from './store.ts';

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Maximum number of remembered events; 100,000 by default, about 20 MB. The oldest handled events are dropped first.
   */
  readonly maxEntries?: number | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a store in the memory of this process, for receivers with one process and for tests. A restart clears it, and
 * it is not shared with other processes.
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  checkOptions('createMemoryStore', options, { maxEntries: true, now: true });
  const { maxEntries = 100_000, now = Date.now } = options;
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new WebhookConfigurationError('OPTION_INVALID', 'maxEntries must be a whole number, 1 or more.');
  }
  const claims = new Map<string, { token: string; endsAt: number }>();
  /** Expiry time by key, in the order of completion: the first entry is dropped first. */
  const completed = new Map<string, number>();

  function held(key: string, token: string): boolean {
    // The token alone decides: a handler that outlived its lease has handled the event, and no other handler took over.
    return claims.get(key)?.token === token;
  }

  /** Makes room for one entry. Returns false if every entry is a running claim. */
  function makeRoom(): boolean {
    if (claims.size + completed.size < maxEntries) return true;
    const oldest = completed.keys().next();
    if (!oldest.done) return completed.delete(oldest.value);
    const at = now();
    for (const [key, claim] of claims) if (claim.endsAt <= at) claims.delete(key);
    return claims.size < maxEntries;
  }

  function forgetExpired(): void {
    const at = now();
    for (const [key, endsAt] of completed) {
      if (endsAt > at) return;
      completed.delete(key);
    }
  }

  return Object.freeze<DedupeStore>({
    claim({ key, token, leaseSeconds }) {
      forgetExpired();
      // An entry behind one with a longer time to live can have expired: its own time decides.
      if ((completed.get(key) ?? 0) > now()) return 'completed';
      completed.delete(key);
      if ((claims.get(key)?.endsAt ?? 0) > now()) return 'in_progress';
      claims.delete(key);
      // The store is full of running claims. The platform retries later, so that no event is handled without a record.
      if (!makeRoom()) return 'in_progress';
      claims.set(key, { token, endsAt: now() + leaseSeconds * 1000 });
      return 'claimed';
    },
    complete({ key, token, ttlSeconds }) {
      if (!held(key, token)) return false;
      claims.delete(key);
      completed.set(key, now() + ttlSeconds * 1000);
      return true;
    },
    release: ({ key, token }) => held(key, token) && claims.delete(key),
    forget({ key }) {
      const known = (completed.get(key) ?? 0) > now();
      completed.delete(key);
      return known;
    },
  });
}
