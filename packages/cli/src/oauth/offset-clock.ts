import { randomUUID } from 'node:crypto';
import type { Clock } from '@plat/sdk';

/** The system clock with an offset, so that a token is refreshed as if it had expired. */
export interface OffsetClock extends Clock {
  advance(seconds: number): void;
}

export function offsetClock(): OffsetClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(seconds) {
      ahead += seconds * 1000;
    },
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    random: Math.random,
    uuid: () => randomUUID(),
  };
}
