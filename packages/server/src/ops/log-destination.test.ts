import { expect, test } from 'vitest';
import { createLogDestination } from './log-destination.ts';

/** No process has so many open files. */
const NOT_OPEN = 2_000_000_000;

test('a process without standard output starts, and writes no log', () => {
  const destination = createLogDestination(NOT_OPEN, () => {});
  destination.write('a line\n');
  expect(destination).toHaveProperty('write');
});
