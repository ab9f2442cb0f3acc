import { LIMITS } from '@plat/contract';

/** Limits how often waiting command lines may poll (RFC 8628, section 3.5). */
export interface PollPace {
  /**
   * Counts a poll for an unanswered login. Returns true if the poll came too early; the command line must then wait
   * five seconds longer.
   */
  isTooSoon(deviceHash: Buffer, now: number): boolean;
}

/** Maximum number of remembered logins. Beyond it, the oldest one starts again. */
const MAX_REMEMBERED = 10_000;

interface Pace {
  readonly polledAt: number;
  readonly intervalMs: number;
}

/**
 * Creates the limit in the memory of this process, so that polls write nothing to the database. A command line that
 * reaches several processes may poll each of them at this pace.
 */
export function createPollPace(): PollPace {
  const paces = new Map<string, Pace>();
  const stepMs = LIMITS.deviceLogin.intervalSeconds * 1000;
  return {
    isTooSoon(deviceHash, now) {
      const key = deviceHash.toString('base64');
      const before = paces.get(key);
      const isTooSoon = before !== undefined && now - before.polledAt < before.intervalMs;
      const intervalMs = (before?.intervalMs ?? stepMs) + (isTooSoon ? stepMs : 0);
      // Moves the login to the end: the order is that of the last polls.
      paces.delete(key);
      paces.set(key, { polledAt: now, intervalMs });
      forgetOld(now);
      return isTooSoon;
    },
  };

  function forgetOld(now: number): void {
    const oldest = now - LIMITS.deviceLogin.seconds * 1000;
    for (const [key, { polledAt }] of paces) {
      if (polledAt >= oldest && paces.size <= MAX_REMEMBERED) return;
      paces.delete(key);
    }
  }
}
