import { expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

test('three consecutive failures open the breaker, and a probe that succeeds closes it', async () => {
  const changes: unknown[] = [];
  let probes = 0;
  const breaker = new Breaker({
    probeMs: 1,
    async probe() {
      if (++probes < 3) throw new Error('still away');
    },
    changed: (error) => void changes.push(error),
  });
  const error = new Error('away');
  breaker.failed(error);
  breaker.failed(error);
  breaker.succeeded();
  breaker.failed(error);
  breaker.failed(error);
  expect([breaker.isOpen, changes]).toEqual([false, []]);
  breaker.failed(error);
  // Calls that were in progress when it opened.
  breaker.failed(error);
  expect([breaker.isOpen, changes]).toEqual([true, [error]]);
  await expect.poll(() => breaker.isOpen).toBe(false);
  expect([probes, changes]).toEqual([3, [error, null]]);
  // The failures before count no longer.
  breaker.failed(error);
  breaker.failed(error);
  expect([breaker.isOpen, changes]).toEqual([false, [error, null]]);
});

test.each([true, false])('a probe in progress changes nothing after the end (it succeeds: %s)', async (succeeds) => {
  const changes: unknown[] = [];
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let probes = 0;
  const breaker = new Breaker({
    probeMs: 1,
    probe() {
      probes++;
      asked.resolve();
      return answer.promise;
    },
    changed: (error) => void changes.push(error),
  });
  for (let failures = 0; failures < 3; failures++) breaker.failed('away');
  await asked.promise;
  breaker.stop();
  if (succeeds) answer.resolve();
  else answer.reject(new Error('still away'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([probes, changes]).toEqual([1, ['away']]);
});
