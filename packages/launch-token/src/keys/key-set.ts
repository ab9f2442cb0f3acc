import { LIMITS } from '@plat/contract';
import { LaunchTokenError } from '../errors.ts';
import type { KeySource } from '../options.ts';
import { createBudget } from './budget.ts';
import { type CachedKeySet, loadYounger, storeInBackground } from './cache.ts';
import { fetchKeySet } from './fetch-key-set.ts';
import { type RsaJwk, readKeySet } from './rsa-jwk.ts';
import { within } from './within.ts';

/** The platform's keys by kid, as fresh as they have to be. */
export interface KeySet<K> {
  /** A key that is at hand and fresh. At no time does this wait; a refresh that is due begins in the background. */
  get(kid: string): K | undefined;
  /**
   * A key, fetched where it has to be.
   *
   * @throws {LaunchTokenError} `KEY_UNKNOWN`, `KEYS_UNAVAILABLE`
   */
  find(kid: string): Promise<K>;
  /**
   * A key without waiting. What would have to be fetched is, for the next time.
   *
   * @throws {LaunchTokenError} `KEY_UNKNOWN`, `KEYS_UNAVAILABLE`
   */
  findNow(kid: string): K;
  /** @throws {LaunchTokenError} `KEYS_UNAVAILABLE` */
  hydrate(): Promise<void>;
}

/** Without a successful fetch for so long, no key is trusted. */
const CLOSED_AFTER_MS = LIMITS.jwksMaxAgeSeconds * 1000;
/** Of its life, when a key set is asked for anew, while the old one still serves. */
const REFRESH_AT = 0.75;
/** From the first byte sent to the last one read. */
const DEADLINE_MS = 4000;
/** A clock is corrected by so much now and then; further back, and nobody can tell how old the keys are. */
const CLOCK_STEP_MS = 60_000;
const BUDGET = { capacity: 5, refillMs: 12_000 };
/** After a failure: shorter while there is no key to go on with. */
const PAUSE_MS = { serving: 12_000, closed: 1000 };

interface Held<K> {
  readonly keys: ReadonlyMap<string, K>;
  readonly fetchedAt: number;
  readonly maxAgeMs: number;
  /** Where it came from: a cache may be behind the platform. */
  readonly from: 'platform' | 'cache' | 'nowhere';
}

/** @param importKey rejects, or throws, for a key that the runtime does not take; such a key is passed over */
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

  function obtain(asked: number): Promise<Held<K>> {
    return within(DEADLINE_MS, 'The key set', async (signal) => {
      const kept = await loadYounger(cache, held.fetchedAt, asked);
      // What a cache holds may be anything: it is then as if it held nothing.
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

  /** One fetch at a time, for all who wait; a failure stands for a while. */
  function load(time: number): Promise<void> {
    // Workers may end a request, and what it waits for, without a word: one that should long be over is given up.
    if (pending && time - pending.since < DEADLINE_MS + 1000) return pending.done;
    const pause = serves(time) ? PAUSE_MS.serving : PAUSE_MS.closed;
    if (failure && time >= failure.at && time < failure.at + pause) return Promise.reject(failure.error);
    const mine = { since: time, done: run() };
    pending = mine;
    return mine.done;

    async function run(): Promise<void> {
      try {
        const obtained = await obtain(time);
        // Not when it was given up: a younger one may be in its place.
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
  const mayRefetch = (time: number): boolean => pending !== undefined || budget.take(time);

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
    // Old keys go on serving when new ones cannot be had, and for no longer, whatever became of the fetch.
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
      // Odd in a way that only the runtime sees: as good as not there.
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
