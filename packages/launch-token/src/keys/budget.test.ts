import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';

test('a budget that is spent has one try more with each interval, up to what it holds', () => {
  const budget = createBudget(2, 10, 0);
  const tries = [0, 0, 0, 9, 10, 10, 29, 30, 30, 1000, 1000, 1000].map((time) => budget.take(time));
  expect(tries).toEqual([true, true, false, false, true, false, true, true, false, true, true, false]);
});

test('a clock that is set back stops it for an interval, not for as long as it was set back', () => {
  const budget = createBudget(1, 10, 1000);
  expect([1000, 0, 9, 10, 19, 20].map((time) => budget.take(time))).toEqual([true, false, false, true, false, true]);
});
