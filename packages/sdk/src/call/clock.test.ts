import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

test('a wait that is longer than a timer supports does not end at once', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let ended = 0;
  systemClock.after(9_999_999_000, () => ended++);
  vi.advanceTimersByTime(86_400_000);
  expect(ended).toBe(0);
});

test('a time that has passed is no negative delay of a timer', () => {
  const delays = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => delays.mockRestore());
  systemClock.after(-1, () => {})();
  expect(delays.mock.calls.map(([, delay]) => delay)).toEqual([0]);
});
