import { expect, test } from 'vitest';
import { hashToken } from '../kernel/tokens.ts';
import { createPollPace } from './poll-pace.ts';

test('each login has its own pace, and old logins are forgotten', () => {
  const pace = createPollPace();
  const [first, second] = [hashToken('first'), hashToken('second')];
  expect(pace.isTooSoon(first, 0)).toBe(false);
  expect(pace.isTooSoon(first, 4_999)).toBe(true);
  expect(pace.isTooSoon(second, 5_000)).toBe(false);
  expect(pace.isTooSoon(first, 14_998)).toBe(true);
  expect(pace.isTooSoon(first, 29_998)).toBe(false);
  expect(pace.isTooSoon(first, 29_998 + 600_000)).toBe(false);
});

test('when too many logins poll, the latest keep their pace', () => {
  const pace = createPollPace();
  for (let i = 0; i <= 10_000; i++) pace.isTooSoon(hashToken(String(i)), 0);
  expect(pace.isTooSoon(hashToken('10000'), 1)).toBe(true);
  expect(pace.isTooSoon(hashToken('0'), 1)).toBe(false);
});
