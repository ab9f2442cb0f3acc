import { HEADERS } from '@plat/contract';
import { expect, test } from 'vitest';
import { TimeoutError } from '../errors/connection-errors.ts';
import { client, platformFor, refusal } from '../testing/build.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import type { TransportResponse } from '../transport/transport.ts';

const ID = 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz';
const START = Date.parse('2026-01-01T00:00:00Z');

/** State of the rate limit in a response. `window` counts windows of 60 s, and `late` is the Date in s after the start. */
interface Rate {
  readonly limit: number;
  readonly remaining: number;
  readonly window: number;
  readonly late?: number;
}

/** Service that answers a request when the test does, with the clock of the test. */
function heldService() {
  const clock = fakeClock(START);
  const sent: PromiseWithResolvers<TransportResponse>[] = [];
  const transport = {
    send: () => {
      const answer = Promise.withResolvers<TransportResponse>();
      sent.push(answer);
      return answer.promise;
    },
  };
  const options = { clock, transport, pacing: true, maxRetries: 0, timeout: 900_000, totalTimeout: 900_000 };
  return {
    clock,
    sent,
    /** Returns a client. Without a credential it has one that no other test has. */
    platform: (credential: string | (() => string) = `plat_test_${crypto.randomUUID()}`) =>
      platformFor('http://held.test', { ...options, credential }),
    /** Returns the number of requests that were sent up to now. */
    async count() {
      await new Promise(setImmediate);
      return sent.length;
    },
    answer(index: number, rate?: Rate, status = 200) {
      const headers = new Headers({ 'content-type': 'application/json' });
      if (rate) {
        headers.set(HEADERS.rateLimit, String(rate.limit));
        headers.set(HEADERS.rateRemaining, String(rate.remaining));
        headers.set(HEADERS.rateReset, String(START / 1000 + 60 * rate.window));
        headers.set('date', new Date(rate.late === undefined ? clock.now() : START + 1000 * rate.late).toUTCString());
      }
      const body = JSON.stringify(status === 200 ? client(ID) : { code: 'RATE_LIMITED', message: 'Too many' });
      sent[index]?.resolve({ status, headers, body });
    },
  };
}

/** Starts calls whose results are of no interest. */
function call(platform: ReturnType<typeof platformFor>, times: number): void {
  for (let i = 0; i < times; i++) void platform.clients.get(ID).catch(() => {});
}

/** Returns a service that has answered one request of a client with this state. */
async function limited(rate: Rate) {
  const service = heldService();
  const platform = service.platform();
  call(platform, 1);
  service.answer(0, rate);
  await service.count();
  return { service, platform };
}

test('clients of one credential share its window, and other credentials have their own', async () => {
  const service = heldService();
  call(service.platform('plat_test_shared'), 1);
  service.answer(0, { limit: 1, remaining: 0, window: 1 });
  call(service.platform('plat_test_other'), 1);
  expect(await service.count()).toBe(2);
  call(service.platform('plat_test_shared'), 1);
  expect(await service.count()).toBe(2);
  service.clock.advance(60_000);
  expect(await service.count()).toBe(3);
});

test('a credential in use keeps its window while a process uses more than a thousand others', async () => {
  const service = heldService();
  call(service.platform('plat_test_in_use'), 1);
  service.answer(0, { limit: 1, remaining: 0, window: 1 });
  await service.count();
  const others = service.platform(() => `plat_test_${crypto.randomUUID()}`);
  for (let i = 0; i < 3; i++) {
    call(others, 500);
    call(service.platform('plat_test_in_use'), 1);
  }
  expect(await service.count()).toBe(1_501);
});

test('requests in flight at the end of a window count in the next one', async () => {
  const { service, platform } = await limited({ limit: 3, remaining: 2, window: 1 });
  call(platform, 2);
  service.clock.advance(60_000);
  call(platform, 2);
  expect(await service.count()).toBe(4);
});

test('the next window takes as many requests as its limit, in any order of their responses', async () => {
  const { service, platform } = await limited({ limit: 4, remaining: 3, window: 1 });
  service.clock.advance(60_000);
  call(platform, 2);
  service.answer(2, { limit: 4, remaining: 2, window: 2 });
  await service.count();
  call(platform, 3);
  expect(await service.count()).toBe(5);
  service.answer(1, { limit: 4, remaining: 3, window: 2 });
  expect(await service.count()).toBe(5);
});

test('requests in flight are not counted as free by the responses of earlier ones', async () => {
  const { service, platform } = await limited({ limit: 3, remaining: 2, window: 1 });
  call(platform, 3);
  expect(await service.count()).toBe(3);
  service.answer(1, { limit: 3, remaining: 1, window: 1 });
  expect(await service.count()).toBe(3);
});

test('requests of other processes in the window are counted from the responses', async () => {
  const { service, platform } = await limited({ limit: 3, remaining: 2, window: 1 });
  call(platform, 1);
  service.answer(1, { limit: 3, remaining: 0, window: 1 });
  await service.count();
  call(platform, 1);
  expect(await service.count()).toBe(2);
});

test('a response of the next window lets waiting calls go at once, and leaves room for those in flight', async () => {
  const { service, platform } = await limited({ limit: 3, remaining: 2, window: 1 });
  call(platform, 4);
  expect(await service.count()).toBe(3);
  service.answer(1, { limit: 3, remaining: 2, window: 2 });
  expect(await service.count()).toBe(4);
});

test('a late response of a former window does not shorten this one', async () => {
  const { service, platform } = await limited({ limit: 4, remaining: 3, window: 1 });
  call(platform, 2);
  service.clock.advance(60_000);
  call(platform, 1);
  // Before a response of the new window, and after it.
  service.answer(1, { limit: 4, remaining: 0, window: 1 });
  await service.count();
  service.answer(3, { limit: 4, remaining: 3, window: 2 });
  await service.count();
  service.answer(2, { limit: 4, remaining: 0, window: 1 });
  await service.count();
  call(platform, 1);
  expect(await service.count()).toBe(5);
});

test('a 429 of a window that has ended by the local clock delays the calls until its end by the Date of the service', async () => {
  const { service, platform } = await limited({ limit: 3, remaining: 2, window: 1 });
  service.clock.advance(60_000);
  call(platform, 1);
  service.answer(1, { limit: 3, remaining: 0, window: 1, late: 58 }, 429);
  await service.count();
  call(platform, 1);
  expect(await service.count()).toBe(2);
  service.clock.advance(1_999);
  expect(await service.count()).toBe(2);
  service.clock.advance(1);
  expect(await service.count()).toBe(3);
});

test('a response without the limit, such as one of a proxy, does not end the pacing', async () => {
  const { service, platform } = await limited({ limit: 2, remaining: 1, window: 1 });
  call(platform, 1);
  service.answer(1, undefined, 502);
  await service.count();
  call(platform, 1);
  expect(await service.count()).toBe(2);
});

test('after failed requests of a new window, one request at a time finds out its state', async () => {
  const { service, platform } = await limited({ limit: 2, remaining: 1, window: 1 });
  service.clock.advance(60_000);
  call(platform, 2);
  for (const index of [1, 2]) service.sent[index]?.reject(new Error('reset'));
  await service.count();
  call(platform, 3);
  expect(await service.count()).toBe(4);
});

test('a service that begins to limit, and one that changes its limit, is followed', async () => {
  const service = heldService();
  const platform = service.platform();
  call(platform, 1);
  service.answer(0);
  await service.count();
  call(platform, 3);
  service.answer(1, { limit: 5, remaining: 4, window: 1 });
  expect(await service.count()).toBe(4);
  call(platform, 3);
  expect(await service.count()).toBe(6);
  for (const index of [2, 3, 4, 5]) service.answer(index, { limit: 2, remaining: 0, window: 1 });
  await service.count();
  service.clock.advance(60_000);
  call(platform, 3);
  expect(await service.count()).toBe(8);
});

test('totalTimeout limits the waits for several windows together', async () => {
  const { service, platform } = await limited({ limit: 1, remaining: 0, window: 1 });
  call(platform, 1);
  const late = platform.clients.get(ID, { totalTimeout: 90_000 });
  const refused = refusal(late, TimeoutError);
  service.clock.advance(60_000);
  expect(await service.count()).toBe(2);
  service.answer(1, { limit: 1, remaining: 0, window: 2 });
  await service.count();
  service.clock.advance(30_000);
  expect(await refused).toMatchObject({ scope: 'total', attempts: 0 });
});
