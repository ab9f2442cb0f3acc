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
});
