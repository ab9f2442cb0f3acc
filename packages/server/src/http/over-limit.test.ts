import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWindowCounter } from '../auth/window-counter.ts';
import { measureInto } from '../kernel/meter.ts';
import { repeatOverLimit } from './over-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a refusal is repeated until its window ends, which is not a whole second, and no longer', async () => {
  let now = 10_700;
  const clock = () => now;
  const counter = createWindowCounter({ points: 1, seconds: 1 }, clock);
  const { repeat, note } = repeatOverLimit(clock);
  const req = { headers: { authorization: 'Bearer key' } } as Request;
  await counter.consume('key');
  now = 11_400;
  const res = { locals: { rate: await counter.consume('key') } } as Response;
  await note(req, res, (() => undefined) as NextFunction);
  const ask = () => repeat(req, res, (() => undefined) as NextFunction);

  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  now = 11_699;
  vi.advanceTimersByTime(299);
  expect(ask).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  req.headers.authorization = 'bearer  key';
  expect(ask).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  now = 11_700;
  vi.advanceTimersByTime(1);
  expect(ask).not.toThrow();
  measureInto(null);
  expect(add.mock.calls).toEqual(Array(2).fill(['plat_rate_limited_total', { counter: 'rate' }, 1]));
});

describe('a window of a minute', () => {
  const minute = 60_000;
  let now: number;
  const clock = () => now;
  const next = (() => undefined) as NextFunction;
  const requestOf = (key: string) => ({ headers: { authorization: `Bearer ${key}` } }) as Request;
  beforeEach(() => {
    now = minute;
  });

  async function overLimit(...keys: readonly string[]) {
    const { repeat, note } = repeatOverLimit(clock);
    for (const key of keys) {
      const counter = createWindowCounter({ points: 1, seconds: 60 }, clock);
      for (let requests = 0; requests < 2; requests++) {
        await note(requestOf(key), { locals: { rate: await counter.consume(key) } } as Response, next);
      }
    }
    return (key: string) => () => repeat(requestOf(key), {} as Response, next);
  }

  test.each([
    ['both clocks', 1000, 1000],
    ['the clock of the windows', 1000, 0],
    ['the clock of the machine', 0, 1000],
  ])('repeats its refusal for a second by %s', async (_title, byClock, byMachine) => {
    const ask = (await overLimit('key'))('key');
    now += Math.max(byClock - 1, 0);
    vi.advanceTimersByTime(Math.max(byMachine - 1, 0));
    expect(ask).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    now = minute + byClock;
    vi.advanceTimersByTime(1);
    expect(ask).not.toThrow();
  });

  test('repeats nothing for a request within the limit', async () => {
    const { repeat, note } = repeatOverLimit(clock);
    const rate = await createWindowCounter({ points: 1, seconds: 60 }, clock).consume('key');
    await note(requestOf('key'), { locals: { rate } } as Response, next);
    expect(() => repeat(requestOf('key'), {} as Response, next)).not.toThrow();
  });

  test('forgets the oldest of more than ten thousand credentials', async () => {
    const ask = await overLimit(...Array.from({ length: 10_001 }, (_, n) => `key ${n}`));
    expect(ask('key 0')).not.toThrow();
    expect(ask('key 1')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });
});
