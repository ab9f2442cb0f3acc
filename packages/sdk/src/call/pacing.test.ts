import { HEADERS } from '@plat/contract';
import { expect, test } from 'vitest';
import { AbortedError, TimeoutError } from '../errors/connection-errors.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { client, platformFor, refusal } from '../testing/build.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { json, serve } from '../testing/serve.ts';

const ID = 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz';

/**
 * Starts a service with a limit of two requests in a window of 60 s by the clock of the test.
 * @param ahead milliseconds by which the clock of the service is ahead
 */
async function limited(clock: ReturnType<typeof fakeClock>, ahead = 0) {
  let window = { endsAt: 0, used: 0 };
  const server = await serve((response) => {
    if (clock.now() >= window.endsAt) window = { endsAt: clock.now() + 60_000, used: 0 };
    window.used++;
    json(response, window.used > 2 ? 429 : 200, client(ID), {
      [HEADERS.rateLimit]: 2,
      [HEADERS.rateRemaining]: Math.max(0, 2 - window.used),
      [HEADERS.rateReset]: (window.endsAt + ahead) / 1000,
      date: new Date(clock.now() + ahead).toUTCString(),
    });
  });
  return server;
}

test('requests beyond the limit wait for the next window, in their order', async () => {
  const clock = fakeClock();
  const server = await limited(clock);
  const platform = platformFor(server.url, { clock, pacing: true, maxRetries: 0, timeout: 1_000 });
  const ended: number[] = [];
  const calls = Array.from({ length: 4 }, (_, i) => platform.clients.get(ID).then(() => ended.push(i)));
  await clock.waitsFor(60_000);
  await Promise.all(calls.slice(0, 2));
  expect(ended).toEqual([0, 1]);
  clock.advance(60_000);
  await Promise.all(calls);
  expect(ended).toEqual([0, 1, 2, 3]);
  expect(server.received).toHaveLength(4);
});

test('a clock of the service that is ahead does not lengthen the wait', async () => {
  const clock = fakeClock();
  const server = await limited(clock, 3_600_000);
  const platform = platformFor(server.url, { clock, pacing: true, maxRetries: 0, timeout: 1_000 });
  const calls = Array.from({ length: 3 }, () => platform.clients.get(ID));
  await clock.waitsFor(60_000);
  await Promise.all(calls.slice(0, 2));
  clock.advance(60_000);
  await Promise.all(calls);
  expect(server.received).toHaveLength(3);
});

test('the wait counts towards totalTimeout, and ends when the call is aborted', async () => {
  const clock = fakeClock();
  const server = await limited(clock);
  const platform = platformFor(server.url, { clock, pacing: true, maxRetries: 0, totalTimeout: 5_000 });
  await platform.clients.get(ID);
  await platform.clients.get(ID);
  const late = platform.clients.get(ID);
  const controller = new AbortController();
  const aborted = platform.clients.get(ID, { signal: controller.signal });
  aborted.catch(() => undefined);
  await clock.waitsFor(60_000);
  controller.abort();
  await refusal(aborted, AbortedError);
  clock.advance(5_000);
  expect(await refusal(late, TimeoutError)).toMatchObject({ scope: 'total', attempts: 0 });
  expect(server.received).toHaveLength(2);
  // The last one to wait leaves no timer, which would keep the process running.
  expect(clock.armed()).toBe(0);
});

test('a failed request, and a service without a limit, stop no other call', async () => {
  const server = await serve((response, _, index) =>
    index === 0 ? response.destroy() : json(response, 200, client(ID)),
  );
  const platform = platformFor(server.url, { pacing: true, maxRetries: 0 });
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => platform.clients.get(ID)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array.from({ length: 9 }, () => 'fulfilled')]);
});

test('pacing is true or false', () => {
  expect(() => platformFor('http://127.0.0.1:1', { pacing: 1 as never })).toThrow(InvalidArgumentError);
});
