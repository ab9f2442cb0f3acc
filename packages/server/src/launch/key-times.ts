import { LIMITS } from '@plat/contract';

/** How long, in ms, a process answers with the key set that it has read before it looks at the table again. */
export const KEY_SET_MEMORY_MS = 10_000;

/**
 * How long, in ms, a key is published before its first signature: whoever asked for the key set just before every process
 * had the key may keep that set for its max-age.
 */
export const PUBLISHED_MS = KEY_SET_MEMORY_MS + LIMITS.jwksMaxAgeSeconds * 1000;

/** How long, in ms, a key stays published after its last signature: until no receiver takes what it signed, leeway included. */
export const KEPT_MS = (LIMITS.launchTokenSeconds.max + LIMITS.launchTokenLeewaySeconds) * 1000;

/** When a key that was made then may sign. */
export function maySignAt({ created_at }: { readonly created_at: number }): number {
  return created_at + PUBLISHED_MS;
}

/** When a key that was replaced then may go; null for one that still signs, or never did. */
export function mayRetireAt({ replaced_at }: { readonly replaced_at: number | null }): number | null {
  return replaced_at === null ? null : replaced_at + KEPT_MS;
}
