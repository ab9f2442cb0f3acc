import type { Clock } from '../call/clock.ts';

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves time and runs what becomes due. */
  advance(milliseconds: number): void;
  /** Resolves when something waits for exactly so long. */
  waitsFor(milliseconds: number): Promise<void>;
  /** How many timers are armed. */
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

/** See {@link impatientClock}. */
export interface ImpatientClock extends Clock {
  readonly waits: number[];
  /** Moves time, and nothing else. */
  sleep(milliseconds: number): void;
}

/** A clock on which waits of up to `longest` ms are over at once (and noted), and longer ones, the time-outs, never come. */
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
