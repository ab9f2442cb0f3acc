import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KEYS_AT_ONCE, type KeyUse } from '../db/key-uses.ts';
import { createKeyUses } from './key-uses.ts';

const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function uses(refused: { times: number } = { times: 0 }) {
  const stored: (readonly KeyUse[])[] = [];
  const store = (batch: readonly KeyUse[]) => {
    if (refused.times-- > 0) return Promise.reject(new Error('no connection'));
    stored.push(batch);
    return Promise.resolve();
  };
  const keyUses = createKeyUses({ store, log: pino({ level: 'silent' }) });
  return { stored, keyUses, after: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('the first use is stored with those of other keys, and later ones once a minute', async () => {
  const { stored, keyUses, after } = uses();
  keyUses.note('a', 1);
  keyUses.note('a', 2);
  keyUses.note('b', 3);
  await after(100);
  expect(stored.splice(0)).toEqual([
    [
      ['a', 2],
      ['b', 3],
    ],
  ]);
  keyUses.note('b', 4);
  await after(MINUTE - 1);
  keyUses.note('b', 5);
  expect(stored).toEqual([]);
  await after(1);
  expect(stored.splice(0)).toEqual([[['b', 5]]]);
  // The other key was not used for a minute: its next use is stored at once.
  keyUses.note('a', 6);
  await after(100);
  expect(stored.splice(0)).toEqual([[['a', 6]]]);
  await after(2 * MINUTE);
  expect(stored).toEqual([]);
});

test('a use that cannot be stored is stored a minute later', async () => {
  const { stored, keyUses, after } = uses({ times: 1 });
  keyUses.note('a', 1);
  await after(100);
  expect(stored).toEqual([]);
  await after(MINUTE);
  expect(stored).toEqual([[['a', 1]]]);
});

test('a use that cannot be stored does not replace a later one', async () => {
  const { stored, keyUses, after } = uses({ times: 1 });
  keyUses.note('a', 1);
  vi.advanceTimersByTime(100);
  keyUses.note('a', 2);
  await after(MINUTE);
  expect(stored).toEqual([[['a', 2]]]);
});

test('each key has its own minute, after which it is forgotten', async () => {
  const { stored, keyUses, after } = uses();
  keyUses.note('a', 1);
  await after(MINUTE / 2);
  keyUses.note('b', 2);
  await after(100);
  keyUses.note('b', 3);
  await after(MINUTE / 2);
  expect(stored).toEqual([[['a', 1]], [['b', 2]]]);
  await after(MINUTE / 2);
  expect(stored.at(-1)).toEqual([['b', 3]]);
  await after(MINUTE);
  expect(vi.getTimerCount()).toBe(0);
});

test('the end of the process stores the rest, in statements of bounded size', async () => {
  const { stored, keyUses, after } = uses();
  keyUses.note('a', 1);
  await after(100);
  keyUses.note('a', 2);
  for (let n = 1; n <= KEYS_AT_ONCE; n++) keyUses.note(`key ${n}`, n);
  await keyUses.close();
  expect(stored.map((batch) => batch.length)).toEqual([1, KEYS_AT_ONCE, 1]);
  expect(stored.flat()).toContainEqual(['a', 2]);
  expect(vi.getTimerCount()).toBe(0);
});

test('no timer gets a negative delay when a use becomes due between two readings of the clock', async () => {
  const { keyUses, after } = uses();
  const delays = vi.spyOn(globalThis, 'setTimeout');
  const readings = [0, 0, MINUTE - 0.1, MINUTE - 0.1, MINUTE + 0.1];
  vi.spyOn(performance, 'now').mockImplementation(() => readings.shift() ?? 2 * MINUTE);
  keyUses.note('a', 1);
  await after(100 + MINUTE);
  expect(readings).toEqual([]);
  expect(delays.mock.calls.filter(([, ms = 0]) => ms < 0)).toEqual([]);
  vi.restoreAllMocks();
});
