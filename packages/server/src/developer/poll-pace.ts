import { LIMITS } from '@plat/contract';

/** How often the command lines that wait may poll (RFC 8628, section 3.5). */
export interface PollPace {
  /**
   * Notes a poll for a login without an answer. Returns whether it came too soon, after which the command line has
   * to wait five seconds longer.
   */
  isTooSoon(deviceHash: Buffer, now: number): boolean;
}

/** Logins that are remembered at most: the oldest one then begins anew. */
const MAX_REMEMBERED = 10_000;

interface Pace {
  readonly polledAt: number;
  readonly intervalMs: number;
}

/**
 * Keeps the pace in this process: a poll writes nothing to the database. A command line that reaches several processes may
 * poll each of them at this pace.
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
      // Those that were polled last stand last.
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
