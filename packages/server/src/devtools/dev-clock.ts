import type { Clock } from '../kernel/clock.ts';

/** The clock of the development mode. It follows a base clock until it is moved or frozen. */
export interface DevClock {
  /** Returns the current time, in ms. */
  readonly now: Clock;
  /** True while the clock is frozen. */
  readonly isFrozen: boolean;
  /** True if the clock was moved or frozen. */
  readonly isMoved: boolean;
  /** Freezes the clock at its current time. */
  freeze(): void;
  /** Sets the clock, forward or back. A running clock continues from there. */
  moveTo(ms: number): void;
  /** Lets the clock run from its current time. */
  resume(): void;
  /** Resets the clock to the time of the base clock, running. */
  reset(): void;
  /** Moves a frozen clock forward by a millisecond. */
  tick(): void;
}

/** @param base clock that it follows: the machine's, or a test's */
export function createDevClock(base: Clock): DevClock {
  let offset = 0;
  let frozenAt: number | null = null;
  let isMoved = false;
  const now = (): number => frozenAt ?? base() + offset;
  return {
    now,
    get isFrozen() {
      return frozenAt !== null;
    },
    get isMoved() {
      return isMoved;
    },
    freeze() {
      isMoved = true;
      frozenAt = now();
    },
    moveTo(ms) {
      isMoved = true;
      if (frozenAt === null) offset = ms - base();
      else frozenAt = ms;
    },
    resume() {
      if (frozenAt === null) return;
      offset = frozenAt - base();
      frozenAt = null;
    },
    reset() {
      isMoved = false;
      frozenAt = null;
      offset = 0;
    },
    tick() {
      if (frozenAt !== null) frozenAt++;
    },
  };
}
