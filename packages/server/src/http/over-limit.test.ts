import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWindowCounter } from '../auth/window-counter.ts';
import { createOverLimit } from './over-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const next = (() => undefined) as NextFunction;
const requestOf = (authorization: string) =>
  ({ headers: { authorization }, user: { id: 'key_1', tenantId: 'tnt_1' } }) as Request;

test('a refusal is repeated until its window ends, which is not a whole second, and no longer', async () => {
  let now = 10_700;
  const clock = () => now;
  const counter = createWindowCounter({ points: 1, seconds: 1 }, clock);
  const { findRefusal, noteRefusal } = createOverLimit(clock);
  const req = requestOf('Bearer key');
  await counter.consume('key');
  now = 11_400;
  noteRefusal(req, { locals: { rate: await counter.consume('key') } } as Response, next);

  now = 11_699;
  vi.advanceTimersByTime(299);
  const { refusal, caller } = findRefusal(req) ?? {};
  expect(caller).toEqual({ tenant: 'tnt_1', credential: 'key_1' });
  expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
  expect(JSON.parse(refusal?.body ?? '')).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/^Over 1 /),
  });
  expect(findRefusal(requestOf('bearer  key'))).toBeDefined();
  now = 11_700;
  vi.advanceTimersByTime(1);
  expect(findRefusal(req)).toBeUndefined();
});

describe('a window of a minute', () => {
  const minute = 60_000;
  let now: number;
  const clock = () => now;
  beforeEach(() => {
    now = minute;
  });

  async function overLimit(...keys: readonly string[]) {
    const { findRefusal, noteRefusal } = createOverLimit(clock);
    for (const key of keys) {
      const counter = createWindowCounter({ points: 1, seconds: 60 }, clock);
      for (let requests = 0; requests < 2; requests++) {
        noteRefusal(requestOf(key), { locals: { rate: await counter.consume('key') } } as Response, next);
      }
    }
    return (key: string) => findRefusal(requestOf(key)) !== undefined;
  }

  test.each([
    ['both clocks', 1000, 1000],
    ['the clock of the windows', 1000, 0],
    ['the clock of the machine', 0, 1000],
  ])('repeats its refusal for a second by %s', async (_title, byClock, byMachine) => {
    const isRefused = await overLimit('Bearer key');
    now += Math.max(byClock - 1, 0);
    vi.advanceTimersByTime(Math.max(byMachine - 1, 0));
    expect(isRefused('Bearer key')).toBe(true);
    now = minute + byClock;
    vi.advanceTimersByTime(1);
    expect(isRefused('Bearer key')).toBe(false);
  });

  test('repeats nothing for a request within the limit', async () => {
    const { findRefusal, noteRefusal } = createOverLimit(clock);
    const rate = await createWindowCounter({ points: 1, seconds: 60 }, clock).consume('key');
    noteRefusal(requestOf('Bearer key'), { locals: { rate } } as Response, next);
    expect(findRefusal(requestOf('Bearer key'))).toBeUndefined();
  });

  test('forgets the oldest of more than ten thousand credentials', async () => {
    const isRefused = await overLimit(...Array.from({ length: 10_001 }, (_, n) => `Bearer key ${n}`));
    expect([isRefused('Bearer key 0'), isRefused('Bearer key 1')]).toEqual([false, true]);
  });
});
