import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWindowCounter } from '../auth/window-counter.ts';
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

  now = 11_699;
  vi.advanceTimersByTime(299);
  expect(ask).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  req.headers.authorization = 'bearer  key';
  expect(ask).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  now = 11_700;
  vi.advanceTimersByTime(1);
  expect(ask).not.toThrow();
});
