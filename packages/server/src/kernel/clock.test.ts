import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, laterThan } from './clock.ts';

test('a time has the format of Date.toISOString', () => {
  const instants = fc.integer({ min: -8_640_000_000_000, max: 8_640_000_000_000 });
  fc.assert(
    fc.property(instants, (ms) => isoTime(ms) === new Date(ms).toISOString()),
    { numRuns: 5_000 },
  );
});

test('a change is always later than the last one, for any time of the clock', () => {
  expect(laterThan(100, 200)).toBe(200);
  expect(laterThan(200, 200)).toBe(201);
  expect(laterThan(200, 100)).toBe(201);
});
