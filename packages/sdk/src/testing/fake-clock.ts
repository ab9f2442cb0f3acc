import type { Clock } from '../call/clock.ts';

/** A clock that only moves when the test advances it. */
export interface FakeClock extends Clock {
  /** Advances the time and runs due timers. */
  advance(milliseconds: number): void;
  /** Resolves when a timer of exactly this delay is started. */
  waitsFor(milliseconds: number): Promise<void>;
  /** Returns the number of running timers. */
  armed(): number;
}

export function fakeClock(start = Date.parse('2026-01-01T00:00:00Z')): FakeClock {
  let now = start;
  let ids = 0;
  const timers = new Map<number, { at: number; length: number; run: () => void }>();
  const watchers: { length: number; seen: () => void }[] = [];
  return {
    now: () => now,
    random: () => 0,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    after(length, run) {
      const id = ++ids;
      timers.set(id, { at: now + length, length, run });
      for (const watcher of watchers) if (watcher.length === length) watcher.seen();
      return () => timers.delete(id);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const [id, timer] of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(id);
        timer.run();
      }
    },
    waitsFor(length) {
      if ([...timers.values()].some((timer) => timer.length === length)) return Promise.resolve();
      return new Promise((seen) => watchers.push({ length, seen }));
    },
    armed: () => timers.size,
  };
}

/** Clock with immediate short waits; see {@link impatientClock}. */
export interface ImpatientClock extends Clock {
  readonly waits: number[];
  /** Advances the time without running timers. */
  sleep(milliseconds: number): void;
}

/**
 * Creates a clock on which waits of up to `longest` ms end at once and are recorded. Longer waits, the time-outs, never
 * end.
 */
export function impatientClock(longest = 20_000, start = Date.parse('2026-01-01T00:00:00Z')): ImpatientClock {
  let now = start;
  let ids = 0;
  const waits: number[] = [];
  return {
    waits,
    sleep(milliseconds) {
      now += milliseconds;
    },
    now: () => now,
    random: () => 0,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    after(length, run) {
      if (length > longest) return () => {};
      waits.push(length);
      now += length;
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
  };
}
