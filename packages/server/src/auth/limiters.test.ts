import { Redis } from 'ioredis';
import { pino } from 'pino';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { afterEach, expect, test, vi } from 'vitest';
import { measureInto } from '../kernel/meter.ts';
import type { Counters } from './counter.ts';
import { createLimiters } from './limiters.ts';

/** No program listens there. */
const NO_REDIS = 'redis://127.0.0.1:1';

let limiters: Counters;
afterEach(() => {
  limiters.close();
  measureInto(null);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('without Redis a process counts alone, reports it once, and asks every half second until it closes', async () => {
  const set = vi.fn();
  measureInto({ add() {}, set, observe() {}, clear() {} });
  const log = pino({ level: 'silent' });
  const [info, warn] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn')];
  limiters = await createLimiters(NO_REDIS, log);
  const fallback = (value: number) => ['plat_rate_limit_fallback', {}, value];
  expect(set.mock.calls).toEqual([fallback(0)]);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ping = vi.spyOn(Redis.prototype, 'ping');
  const counter = limiters.counter('plat:rate', { points: 3, seconds: 60 });
  const remaining = [];
  for (let n = 0; n < 4; n++) remaining.push((await counter.consume('key')).remaining);
  expect(remaining).toEqual([2, 1, 0, 0]);
  const { retryAfter } = await counter.consume('key');
  expect(retryAfter).toBeGreaterThan(58);
  expect(retryAfter).toBeLessThanOrEqual(60);
  expect(set.mock.calls).toEqual([fallback(0), fallback(1)]);
  expect(warn).toHaveBeenCalledOnce();

  await vi.advanceTimersByTimeAsync(1_000);
  expect(ping).toHaveBeenCalledTimes(2);
  expect(info).not.toHaveBeenCalled();
  limiters.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ping).toHaveBeenCalledTimes(2);
});

test('single failures between answers of Redis do not end the shared count', async () => {
  limiters = await createLimiters(NO_REDIS, pino({ level: 'silent' }));
  const shared = vi.spyOn(RateLimiterRedis.prototype, 'consume');
  const counter = limiters.counter('plat:rate', { points: 9, seconds: 60 });
  for (let n = 0; n < 4; n++) {
    shared.mockRejectedValueOnce(new Error('connection lost'));
    await counter.consume('key');
    shared.mockResolvedValueOnce(new RateLimiterRes(5, 60_000, 4, false));
    expect(await counter.consume('key')).toMatchObject({ remaining: 5, retryAfter: null });
  }
  expect(shared).toHaveBeenCalledTimes(8);
});
