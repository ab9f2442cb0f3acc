import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { measureInto } from '../kernel/meter.ts';
import { createRateLimit } from './rate-limit.ts';

afterEach(() => measureInto(null));

test('a refusal is counted by its counter, and waits for whole seconds until the window has ended', async () => {
  const add = vi.fn();
  measureInto({ add, set() {}, observe() {}, clear() {} });
  let now = 10_000;
  const limits = { rateLimit: { requests: 1, windowSeconds: 2 }, addressRateLimit: 1, redisUrl: null };
  const rateLimit = await createRateLimit(limits, pino({ level: 'silent' }), () => now);
  expect(await rateLimit.consume('key')).toMatchObject({ remaining: 0, retryAfter: null });
  now += 600;
  expect(await rateLimit.consume('key')).toMatchObject({ remaining: 0, endsInMs: 1_400, reset: 12, retryAfter: 2 });
  const pages = rateLimit.byAddress('pages');
  for (let n = 0; n < 2; n++) await pages.consume('203.0.113.7');
  const refused = (counter: string) => ['plat_rate_limited_total', { counter }, 1];
  expect(add.mock.calls).toEqual([refused('rate'), refused('address-pages')]);
});
