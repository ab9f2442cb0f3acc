import { LIMITS } from '@plat/contract';
import { within } from './within.ts';

/** A fetched key set in a form that any cache can store. */
export interface CachedKeySet {
  /** The key set document as received. */
  readonly jwks: string;
  /** Time of the request in milliseconds. */
  readonly fetchedAt: number;
  /** Seconds from `fetchedAt` for which the key set may be used without another fetch. */
  readonly maxAgeSeconds: number;
}

/**
 * Stores a key set outside of the memory of one verifier. A party with write access to it can create launch tokens. A
 * cache that fails, is slow or contains invalid data is skipped.
 */
export interface KeySetCache {
  /** Returns the stored key set, or undefined. */
  load(): CachedKeySet | undefined | Promise<CachedKeySet | undefined>;
  /** Stores a key set. */
  store(keySet: CachedKeySet): unknown;
}

/** Time limit of a cache. A slower cache is slower than a fetch from the platform. */
const CACHE_MS = 1000;

/** Loads the key set of a cache if it is younger than the current one and still usable. */
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

/** Stores a fetched key set in a cache without waiting. */
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
