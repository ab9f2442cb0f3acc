import { LIMITS } from '@plat/contract';
import { LaunchTokenError } from '../errors.ts';
import type { KeySource } from '../options.ts';
import { createBudget } from './budget.ts';
import { type CachedKeySet, loadYounger, storeInBackground } from './cache.ts';
import { fetchKeySet } from './fetch-key-set.ts';
import { type RsaJwk, readKeySet } from './rsa-jwk.ts';
import { within } from './within.ts';

/** The keys of the platform by kid, refreshed as required. */
export interface KeySet<K> {
  /** Returns a fresh key that is in memory, without waiting. A due refresh starts in the background. */
  get(kid: string): K | undefined;
  /**
   * Returns a key, and fetches the key set if required.
   * @throws {LaunchTokenError} `KEY_UNKNOWN`, `KEYS_UNAVAILABLE`
   */
  find(kid: string): Promise<K>;
  /**
   * Returns a key without waiting. If a fetch is required, it starts in the background for the next call.
   * @throws {LaunchTokenError} `KEY_UNKNOWN`, `KEYS_UNAVAILABLE`
   */
  findNow(kid: string): K;
  /** @throws {LaunchTokenError} `KEYS_UNAVAILABLE` */
  hydrate(): Promise<void>;
}

/** Maximum time since the last successful fetch for which keys are trusted. */
const CLOSED_AFTER_MS = LIMITS.jwksMaxAgeSeconds * 1000;
/** Part of its life after which a key set is fetched again, while the old one still serves. */
const REFRESH_AT = 0.75;
/** Deadline of a fetch, from the first byte sent to the last byte read. */
const DEADLINE_MS = 4000;
/** Normal correction of a clock. If it is set back further, the age of the keys is unknown. */
const CLOCK_STEP_MS = 60_000;
const BUDGET = { capacity: 5, refillMs: 12_000 };
/** Pause after a failed fetch. It is shorter while no key serves. */
const PAUSE_MS = { serving: 12_000, closed: 1000 };

interface Held<K> {
  readonly keys: ReadonlyMap<string, K>;
  readonly fetchedAt: number;
  readonly maxAgeMs: number;
  /** Origin of the key set. A cache can be older than the platform. */
  readonly from: 'platform' | 'cache' | 'nowhere';
}

/** @param importKey rejects or throws for a key that the runtime does not support; such a key is skipped */
export function createKeySet<K>(source: KeySource, importKey: (jwk: RsaJwk) => K | Promise<K>): KeySet<K> {
  const { uri, fetch, cache, now } = source;
  const budget = createBudget(BUDGET.capacity, BUDGET.refillMs, now());
  let held: Held<K> = { keys: new Map(), fetchedAt: Number.NEGATIVE_INFINITY, maxAgeMs: 0, from: 'nowhere' };
  let pending: { readonly since: number; readonly done: Promise<void> } | undefined;
  let failure: { readonly at: number; readonly error: unknown } | undefined;

  const ageAt = (time: number): number => {
    const age = time - held.fetchedAt;
    return age < -CLOCK_STEP_MS ? Number.POSITIVE_INFINITY : age;
  };
  const serves = (time: number): boolean => ageAt(time) < CLOSED_AFTER_MS;
  const isFresh = (time: number): boolean => ageAt(time) < held.maxAgeMs;

  /** Returns the failure of the last fetch during the pause after it. */
  function recentFailure(time: number): typeof failure {
    const pause = serves(time) ? PAUSE_MS.serving : PAUSE_MS.closed;
    return failure && time >= failure.at && time < failure.at + pause ? failure : undefined;
  }

  function obtain(asked: number): Promise<Held<K>> {
    return within(DEADLINE_MS, 'The key set', async (signal) => {
      const kept = await loadYounger(cache, held.fetchedAt, asked);
      // An invalid entry of the cache is treated like an empty cache.
      const young = kept && (await read(kept, 'cache').catch(() => undefined));
      if (young) return young;
      const fetched = await fetchKeySet(uri, fetch, signal, asked);
      const current = await read(fetched, 'platform');
      storeInBackground(cache, fetched);
      return current;
    });
  }

  async function read({ jwks, fetchedAt, maxAgeSeconds }: CachedKeySet, from: Held<K>['from']): Promise<Held<K>> {
    const maxAgeMs = Math.min(maxAgeSeconds * 1000, CLOSED_AFTER_MS);
    return { keys: await importAll(readKeySet(jwks), importKey), fetchedAt, maxAgeMs, from };
  }

  /** Runs at most one fetch for all callers. After a failure, the next fetch waits for a pause. */
  function load(time: number): Promise<void> {
    // Workers can end a request and its pending fetch silently. An overdue fetch is therefore abandoned.
    if (pending && time - pending.since < DEADLINE_MS + 1000) return pending.done;
    const recent = recentFailure(time);
    if (recent) return Promise.reject(recent.error);
    const mine = { since: time, done: run() };
    pending = mine;
    return mine.done;

    async function run(): Promise<void> {
      try {
        const obtained = await obtain(time);
        // An abandoned fetch may have been replaced by a newer one.
        if (pending !== mine) return;
        held = obtained;
        failure = undefined;
      } catch (error) {
        if (pending === mine) failure = { at: now(), error };
        throw error;
      } finally {
        if (pending === mine) pending = undefined;
      }
    }
  }

  const loadInBackground = (time: number): void => void load(time).catch(() => undefined);
  // Only a fetch that this call starts is taken from the budget.
  const mayRefetch = (time: number): boolean =>
    pending !== undefined || recentFailure(time) !== undefined || budget.take(time);

  function get(kid: string): K | undefined {
    const time = now();
    if (!isFresh(time)) return undefined;
    if (ageAt(time) >= held.maxAgeMs * REFRESH_AT) loadInBackground(time);
    return held.keys.get(kid);
  }

  async function hydrate(): Promise<void> {
    const time = now();
    if (isFresh(time)) return;
    const error: unknown = await load(time).catch((refused: unknown) => refused);
    // If no new keys are available, the old keys serve until they expire, for every kind of failure.
    if (!serves(now())) throw unavailable(error ?? failure?.error);
  }

  return {
    get,
    hydrate,
    async find(kid) {
      const before = held;
      await hydrate();
      const known = held.keys.get(kid);
      if (known) return known;
      const isNew = held !== before && held.from === 'platform';
      const time = now();
      if (!isNew && mayRefetch(time)) {
        await load(time).catch((error: unknown) => {
          throw unavailable(error);
        });
      }
      return held.keys.get(kid) ?? unknown();
    },
    findNow(kid) {
      const time = now();
      if (!isFresh(time)) loadInBackground(time);
      if (!serves(time)) throw unavailable(failure?.error, ' verifySync cannot wait for them: await hydrate() first.');
      const known = get(kid) ?? held.keys.get(kid);
      if (known) return known;
      const recent = recentFailure(time);
      if (recent) throw unavailable(recent.error);
      if (mayRefetch(time)) loadInBackground(time);
      return unknown();
    },
  };
}

async function importAll<K>(
  jwks: readonly RsaJwk[],
  importKey: (jwk: RsaJwk) => K | Promise<K>,
): Promise<ReadonlyMap<string, K>> {
  const keys = new Map<string, K>();
  for (const jwk of jwks) {
    try {
      keys.set(jwk.kid, await importKey(jwk));
    } catch {
      // The runtime refuses the key: it is skipped.
    }
  }
  return keys;
}

function unknown(): never {
  throw new LaunchTokenError('KEY_UNKNOWN', 'Is issuer or jwksUri that of another environment?');
}

function unavailable(cause: unknown, hint = ''): LaunchTokenError {
  const reason = cause instanceof Error ? cause.message : 'None were fetched yet.';
  return new LaunchTokenError('KEYS_UNAVAILABLE', `${reason}${hint}`, cause === undefined ? undefined : { cause });
}
