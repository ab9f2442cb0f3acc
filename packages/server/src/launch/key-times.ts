import { LIMITS } from '@plat/contract';

/** Maximum age of the cached key set in a process, in ms. */
export const KEY_SET_MEMORY_MS = 10_000;

/**
 * Minimum time between the publication of a key and its first signature, in ms. A receiver that fetched the key set
 * just before every process had the key may cache that set for its max-age.
 */
const PUBLISHED_MS = KEY_SET_MEMORY_MS + LIMITS.jwksMaxAgeSeconds * 1000;

/**
 * Time that a key stays published after its last signature, in ms: until no receiver accepts its tokens, including the
 * leeway.
 */
const KEPT_MS = (LIMITS.launchTokenSeconds.max + LIMITS.launchTokenLeewaySeconds) * 1000;

/** Returns the time from which a key may sign. */
export function maySignAt({ created_at }: { readonly created_at: number }): number {
  return created_at + PUBLISHED_MS;
}

/** Returns the time from which a replaced key may be retired; null for one that still signs, or never did. */
export function mayRetireAt({ replaced_at }: { readonly replaced_at: number | null }): number | null {
  return replaced_at === null ? null : replaced_at + KEPT_MS;
}
