import type { Clock } from '../kernel/clock.ts';
import { type Counter, stateOf, type Window } from './counter.ts';

/** Counts in this process, in windows of the adjustable clock of the development mode. */
export function createWindowCounter({ points, seconds }: Window, clock: Clock): Counter {
  const windowMs = seconds * 1000;
  // All windows have the same length, so the first one ends first.
  const windows = new Map<string, { count: number; readonly endsAt: number }>();
  const isOver = (endsAt: number, now: number) => endsAt <= now || endsAt > now + windowMs;

  return {
    async consume(key) {
      const now = clock();
      for (const [other, { endsAt }] of windows) {
        if (!isOver(endsAt, now)) break;
        windows.delete(other);
      }
      let window = windows.get(key);
      if (!window || isOver(window.endsAt, now)) {
        window = { count: 0, endsAt: now + windowMs };
        windows.delete(key);
        windows.set(key, window);
      }
      window.count++;
      return stateOf({ limit: points, used: window.count, now, endsInMs: window.endsAt - now });
    },
  };
}
