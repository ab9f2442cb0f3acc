import type { RateLimit } from '@plat/sdk';

/** What a look came to. */
export interface Look {
  /** What was new. */
  readonly found: number;
  /** Requests that it took. */
  readonly requests: number;
}

/** Something that goes on for ever, seen in looks. */
export interface Feed {
  /** Looks for what has just happened. */
  near(): Promise<Look>;
  /** Looks for everything that is not settled, also for what appeared late. */
  sweep(): Promise<Look>;
}

/** Whether less than a quarter of the key's requests are left, which others may need. */
export function isShort(rateLimit: RateLimit | null): boolean {
  return rateLimit !== null && rateLimit.remaining < rateLimit.limit / 4;
}

/** How often is looked while things happen, and for how many looks after the last; and else. */
const BUSY_MS = 250;
const BUSY_LOOKS = 40;
const IDLE_MS = 1000;
/** When the key has few requests left in this minute. */
const SHORT_MS = 5000;

const SWEEP_MS = 10_000;

/**
 * Looks again and again: 60 to 240 requests a minute of the 600 that a key has. A look that reaches far back
 * is the rarer the more requests it takes.
 * @param pause lets time go by; what it throws ends it
 */
export async function follow(
  feed: Feed,
  isShortNow: () => boolean,
  pause: (ms: number) => Promise<void>,
): Promise<never> {
  let quietLooks = BUSY_LOOKS;
  let untilSweep = 0;
  for (;;) {
    const isSweep = untilSweep <= 0;
    const { found, requests } = await (isSweep ? feed.sweep() : feed.near());
    if (isSweep) untilSweep = Math.max(SWEEP_MS, requests * 1000);
    quietLooks = found > 0 ? 0 : quietLooks + 1;
    const ms = isShortNow() ? SHORT_MS : quietLooks < BUSY_LOOKS ? BUSY_MS : IDLE_MS;
    await pause(ms);
    untilSweep -= ms;
  }
}
