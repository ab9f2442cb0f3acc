import type { Feed } from './feed.ts';

/** How often is looked while things happen, and for how many looks after the last; and else. */
const BUSY_MS = 250;
const BUSY_LOOKS = 40;
const IDLE_MS = 1000;
/** When the key has few requests left in this minute. */
const SHORT_MS = 5000;

const SWEEP_MS = 10_000;

/**
 * Looks for events again and again: 60 to 240 requests a minute of the 600 that a key has. A look that reaches far back
 * is the rarer the more requests it takes.
 * @param pause lets time go by; what it throws ends it
 */
export async function follow(feed: Feed, isShort: () => boolean, pause: (ms: number) => Promise<void>): Promise<never> {
  let quietLooks = BUSY_LOOKS;
  let untilSweep = 0;
  for (;;) {
    const isSweep = untilSweep <= 0;
    const { found, requests } = await (isSweep ? feed.sweep() : feed.near());
    if (isSweep) untilSweep = Math.max(SWEEP_MS, requests * 1000);
    quietLooks = found > 0 ? 0 : quietLooks + 1;
    const ms = isShort() ? SHORT_MS : quietLooks < BUSY_LOOKS ? BUSY_MS : IDLE_MS;
    await pause(ms);
    untilSweep -= ms;
  }
}
