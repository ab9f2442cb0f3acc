import { LIMITS } from '@plat/contract';
import { within } from './within.ts';

/** A key set as it was fetched, in a form that can be kept anywhere. */
export interface CachedKeySet {
  /** The document, as it arrived. */
  readonly jwks: string;
  /** When it was asked for, in milliseconds. */
  readonly fetchedAt: number;
  /** How many seconds from then it may be used without asking again. */
  readonly maxAgeSeconds: number;
}

/**
 * Where a key set is kept beyond the memory of one verifier. Whoever can write there can make launch tokens. A cache that
 * fails, is slow or holds something else is passed over.
 */
export interface KeySetCache {
  /** Returns the stored key set, or undefined. */
  load(): CachedKeySet | undefined | Promise<CachedKeySet | undefined>;
  /** Stores a key set. */
  store(keySet: CachedKeySet): unknown;
}

/** A cache that takes longer is slower than the platform. */
const CACHE_MS = 1000;

/** What a cache holds, if it is younger than what is at hand and may still be used. */
export async function loadYounger(
  cache: KeySetCache | undefined,
  than: number,
  now: number,
): Promise<CachedKeySet | undefined> {
  if (!cache) return undefined;
  try {
    const kept: unknown = await within(CACHE_MS, 'The cache', async () => cache.load());
    return isCachedKeySet(kept) && kept.fetchedAt > than && isFresh(kept, now) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Hands a fetched key set to a cache, and waits for nothing. */
export function storeInBackground(cache: KeySetCache | undefined, keySet: CachedKeySet): void {
  if (!cache) return;
  void (async () => cache.store(keySet))().catch(() => undefined);
}

function isFresh({ fetchedAt, maxAgeSeconds }: CachedKeySet, now: number): boolean {
  const age = now - fetchedAt;
  return age >= 0 && age < Math.min(maxAgeSeconds, LIMITS.jwksMaxAgeSeconds) * 1000;
}

function isCachedKeySet(value: unknown): value is CachedKeySet {
  if (typeof value !== 'object' || value === null) return false;
  if (!('jwks' in value && 'fetchedAt' in value && 'maxAgeSeconds' in value)) return false;
  return typeof value.jwks === 'string' && Number.isFinite(value.fetchedAt) && Number.isFinite(value.maxAgeSeconds);
}
