/** Result of one poll. */
export interface PollResult {
  /** Number of new items. */
  readonly found: number;
  /** Number of requests sent. */
  readonly requests: number;
}

/** An endless source that is polled. */
export interface Feed {
  /** Polls for the latest items. */
  latest(): Promise<PollResult>;
  /** Polls for everything that may still change, including items that appeared late. */
  sweep(): Promise<PollResult>;
}

/** Poll interval while items arrive, the number of polls that keep it afterwards, and the idle interval. */
const BUSY_MS = 250;
const BUSY_POLLS = 40;
const IDLE_MS = 1000;
/** Poll interval when few requests remain in this minute. */
const LOW_LIMIT_MS = 5000;

const SWEEP_MS = 10_000;

/**
 * Polls until aborted: 60 to 240 requests a minute of the 600 that a key has. The more requests a sweep takes, the
 * less often it runs.
 * @param pause waits for the given milliseconds; its errors end the loop
 */
export async function poll(
  feed: Feed,
  isRateLimitLow: () => boolean,
  pause: (ms: number) => Promise<void>,
): Promise<never> {
  let quietPolls = BUSY_POLLS;
  let untilSweep = 0;
  for (;;) {
    const isSweep = untilSweep <= 0;
    const { found, requests } = await (isSweep ? feed.sweep() : feed.latest());
    if (isSweep) untilSweep = Math.max(SWEEP_MS, requests * 1000);
    quietPolls = found > 0 ? 0 : quietPolls + 1;
    const ms = isRateLimitLow() ? LOW_LIMIT_MS : quietPolls < BUSY_POLLS ? BUSY_MS : IDLE_MS;
    await pause(ms);
    untilSweep -= ms;
  }
}
