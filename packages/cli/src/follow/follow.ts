import type { RateLimit } from '@plat/sdk';

/** Result of one poll. */
export interface Look {
  /** Number of new items. */
  readonly found: number;
  /** Number of requests sent. */
  readonly requests: number;
}

/** An endless source that is polled. */
export interface Feed {
  /** Polls for the latest items. */
  near(): Promise<Look>;
  /** Polls for everything that may still change, including items that appeared late. */
  sweep(): Promise<Look>;
}

/** Returns whether less than a quarter of the key's requests remain, which other programs may need. */
export function isShort(rateLimit: RateLimit | null): boolean {
  return rateLimit !== null && rateLimit.remaining < rateLimit.limit / 4;
}

/** Poll interval while items arrive, the number of polls that keep it afterwards, and the idle interval. */
const BUSY_MS = 250;
const BUSY_LOOKS = 40;
const IDLE_MS = 1000;
/** Poll interval when few requests remain in this minute. */
const SHORT_MS = 5000;

const SWEEP_MS = 10_000;

/**
 * Polls until aborted: 60 to 240 requests a minute of the 600 that a key has. The more requests a sweep takes, the
 * less often it runs.
 * @param pause waits for the given milliseconds; its errors end the loop
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
