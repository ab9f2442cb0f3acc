import { WebhookConfigurationError } from '../errors.ts';
import { checkOptions } from '../options.ts';
import type { ClaimOutcome, DedupeStore } from './store.ts';

/** Limits of a memory store. */
export interface MemoryStoreOptions {
  /** Events remembered at most, 100,000 by default: about 20 MB. The oldest handled ones go first. */
  readonly maxEntries?: number | undefined;
  /** The clock, in milliseconds: `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * A store in the memory of this process: for one process, and for tests. It forgets everything at a restart, and
 * another process knows nothing of it.
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  checkOptions('createMemoryStore', options, { maxEntries: true, now: true });
  const { maxEntries = 100_000, now = Date.now } = options;
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new WebhookConfigurationError('OPTION_INVALID', 'maxEntries must be a whole number, 1 or more.');
  }
  const claims = new Map<string, { token: string; endsAt: number }>();
  /** Key → when it is forgotten. In the order of completion, so the front is the first to go. */
  const completed = new Map<string, number>();

  function held(key: string, token: string): boolean {
    // By the token alone: a handler that outlived its lease did its work, and nobody has taken over.
    return claims.get(key)?.token === token;
  }

  /** Makes room for one more; there is none when every entry is a claim that still runs. */
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

  return Object.freeze({
    claim({ key, token, leaseSeconds }: { key: string; token: string; leaseSeconds: number }): ClaimOutcome {
      forgetExpired();
      // An entry behind one with a longer time to live may have expired too: it is told by its own time.
      if ((completed.get(key) ?? 0) > now()) return 'completed';
      completed.delete(key);
      if ((claims.get(key)?.endsAt ?? 0) > now()) return 'in_progress';
      claims.delete(key);
      // Full of running claims: the platform is told to come again, rather than an event handled unrecorded.
      if (!makeRoom()) return 'in_progress';
      claims.set(key, { token, endsAt: now() + leaseSeconds * 1000 });
      return 'claimed';
    },
    complete({ key, token, ttlSeconds }: { key: string; token: string; ttlSeconds: number }): boolean {
      if (!held(key, token)) return false;
      claims.delete(key);
      completed.set(key, now() + ttlSeconds * 1000);
      return true;
    },
    release({ key, token }: { key: string; token: string }): boolean {
      return held(key, token) && claims.delete(key);
    },
    forget({ key }: { key: string }): boolean {
      const known = (completed.get(key) ?? 0) > now();
      completed.delete(key);
      return known;
    },
  });
}
