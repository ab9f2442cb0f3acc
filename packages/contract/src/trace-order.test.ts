import { expect, test } from 'vitest';
import type { TraceEntry } from './trace.ts';
import { orderTrace } from './trace-order.ts';

const entry = (kind: TraceEntry['kind'], id: string, second: number, caused_by: string | null = null) =>
  ({ kind, id, at: `2026-01-01T00:00:0${second}.000Z`, caused_by }) as TraceEntry;
const order = (...entries: readonly TraceEntry[]) => orderTrace(entries).map(({ id }) => id);

test('the newest first cause is first, with its effects in the order of time', () => {
  const older = [entry('request', 'r1', 1), entry('change', 'c1', 1, 'r1'), entry('attempt', 'a1', 9, 'c1')];
  const newer = [entry('request', 'r2', 3), entry('attempt', 'a2', 4, 'r2'), entry('event', 'e2', 4, 'r2')];
  expect(order(...older, ...newer)).toEqual(['r2', 'e2', 'a2', 'r1', 'c1', 'a1']);
  expect(order(...[...older, ...newer].reverse())).toEqual(['r2', 'e2', 'a2', 'r1', 'c1', 'a1']);
});

test('an effect follows its cause, even if the clock of its process is behind', () => {
  expect(order(entry('attempt', 'a', 1, 'e'), entry('event', 'e', 5, 'r'), entry('request', 'r', 3))).toEqual([
    ...['r', 'e', 'a'],
  ]);
});

test('an unknown cause is none, and a circle ends', () => {
  expect(order(entry('event', 'e', 1, 'x'))).toEqual(['e']);
  expect(order(entry('change', 'c', 1, 'd'), entry('change', 'd', 2, 'c')).sort()).toEqual(['c', 'd']);
});
