import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';

test('an empty budget gains one try with each interval, up to its capacity', () => {
  const budget = createBudget(2, 10, 0);
  const tries = [0, 0, 0, 9, 10, 10, 29, 30, 30, 1000, 1000, 1000].map((time) => budget.take(time));
  expect(tries).toEqual([true, true, false, false, true, false, true, true, false, true, true, false]);
});

test('a clock that is set back stops the budget for one interval only', () => {
  const budget = createBudget(1, 10, 1000);
  expect([1000, 0, 9, 10, 19, 20].map((time) => budget.take(time))).toEqual([true, false, false, true, false, true]);
});
