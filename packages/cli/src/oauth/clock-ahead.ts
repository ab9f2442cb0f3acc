import { randomUUID } from 'node:crypto';
import type { Clock } from '@plat/sdk';

/** The machine's clock, which can be put ahead: a token is then renewed as it is when its end has come. */
export interface ClockAhead extends Clock {
  advance(seconds: number): void;
}

export function clockAhead(): ClockAhead {
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
