import type { Clock } from '../kernel/clock.ts';

/** The clock of the development mode: it runs with another one until it is moved or stopped. */
export interface DevClock {
  /** In ms. */
  readonly now: Clock;
  /** Whether it stands still. */
  readonly isFrozen: boolean;
  /** Whether somebody has moved or stopped it. */
  readonly isMoved: boolean;
  /** Stops it where it stands. */
  freeze(): void;
  /** Sets it, forwards or back; one that runs goes on from there. */
  moveTo(ms: number): void;
  /** Lets it go on from where it stands. */
  resume(): void;
  /** Returns to the time of the base clock, running. */
  reset(): void;
  /** Moves one that stands on by a millisecond. */
  tick(): void;
}

/** @param base what it runs with: the machine's clock, or a test's */
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
