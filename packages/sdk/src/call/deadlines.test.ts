import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { AbortedError, TimeoutError } from '../errors/connection-errors.ts';
import { client, platformFor, refusal } from '../testing/build.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { json, refuse, serve } from '../testing/serve.ts';
import { fetchTransport } from '../transport/fetch.ts';
import { nodeTransport } from '../transport/node.ts';

const ID = 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz';

/** A promise and the function that fulfils it. */
function signalled(): { happened: Promise<void>; happen: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { happened: promise, happen: () => resolve() };
}

test('listeners on a signal are removed when the call has ended, with any result', async () => {
  const server = await serve((response, _, index) =>
    index === 0 ? json(response, 200, client(ID)) : refuse(response, 404, 'CLIENT_NOT_FOUND'),
  );
  const platform = platformFor(server.url);
  const { signal } = new AbortController();
  await platform.clients.get(ID, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const call = platform.clients.get(ID, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await refusal(call, ApiError);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('with an aborted signal nothing is sent', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const error = await refusal(platformFor(server.url).me.get({ signal: AbortSignal.abort('enough') }), AbortedError);
  expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: 'enough', attempts: 0, retryable: false });
  expect(server.received).toHaveLength(0);
});

test('aborting ends the wait between attempts at once and leaves no timer', async () => {
  const clock = fakeClock();
  const server = await serve((response) => refuse(response, 429, 'RATE_LIMITED', { 'retry-after': 30 }));
  const controller = new AbortController();
  const call = platformFor(server.url, { clock, timeout: 9000 }).me.get({ signal: controller.signal });
  call.catch(() => {});
  await clock.waitsFor(30_000);
  controller.abort();
  const error = await refusal(call, AbortedError);
  expect(error.attempts).toBe(1);
  expect(clock.armed()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('aborting ends the look-up of the credential at once', async () => {
  const controller = new AbortController();
  const credential = () => new Promise<string>(() => {});
  const call = platformFor('http://127.0.0.1:1', { credential }).me.get({ signal: controller.signal });
  controller.abort();
  await refusal(call, AbortedError);
});

for (const [name, transport] of [
  ['node', nodeTransport],
  ['fetch', () => fetchTransport()],
] as const) {
  test(`${name}: aborting closes the connection of the running request`, async () => {
    const arrived = signalled();
    const closed = signalled();
    const server = await serve((response) => {
      response.on('close', closed.happen);
      arrived.happen();
    });
    const controller = new AbortController();
    const call = platformFor(server.url, { transport: transport() }).me.get({ signal: controller.signal });
    call.catch(() => {});
    await arrived.happened;
    controller.abort();
    await refusal(call, AbortedError);
    await closed.happened;
  });

  test(`${name}: a slowly dripping response is cut off at the attempt time-out, and retried`, async () => {
    const clock = fakeClock();
    const dripping = signalled();
    const server = await serve((response, _, index) => {
      if (index > 0) return json(response, 200, client(ID));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"object":', dripping.happen);
    });
    const call = platformFor(server.url, { clock, timeout: 5000, transport: transport() }).clients.get(ID);
    call.catch(() => {});
    await dripping.happened;
    clock.advance(5000);
    await clock.waitsFor(250);
    clock.advance(250);
    await expect(call).resolves.toMatchObject({ id: ID });
    expect(clock.armed()).toBe(0);
  });

  test(`${name}: a silent server causes a TimeoutError of the attempt`, async () => {
    const clock = fakeClock();
    const arrived = signalled();
    const server = await serve(arrived.happen);
    const platform = platformFor(server.url, { clock, timeout: 5000, maxRetries: 0, transport: transport() });
    const call = platform.me.get();
    call.catch(() => {});
    await arrived.happened;
    clock.advance(5000);
    const error = await refusal(call, TimeoutError);
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'TIMEOUT', scope: 'attempt', retryable: true });
    expect(error).toMatchObject({ attempts: 1, message: 'No complete answer within 5000 ms' });
  });
}

test('the total time-out limits the last attempt', async () => {
  const clock = fakeClock();
  const arrived = [signalled(), signalled()];
  const server = await serve((_, __, index) => arrived[index]?.happen());
  const platform = platformFor(server.url, { clock, timeout: 5000, totalTimeout: 8000 });
  const call = platform.me.get();
  call.catch(() => {});
  await arrived[0]?.happened;
  clock.advance(5000);
  await clock.waitsFor(250);
  clock.advance(250);
  await arrived[1]?.happened;
  clock.advance(2750);
  const error = await refusal(call, TimeoutError);
  expect(error).toMatchObject({ scope: 'total', attempts: 2 });
  expect(error.message).toBe('The call did not succeed within 8000 ms');
});

test.each([200, 250])('a wait up to the total time-out of %d ms, or beyond it, is skipped', async (totalTimeout) => {
  const clock = fakeClock();
  const server = await serve((response) => refuse(response, 500, 'INTERNAL_ERROR'));
  const error = await refusal(platformFor(server.url, { clock, totalTimeout }).me.get(), ApiError);
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', attempts: 1 });
});

test('the total time-out limits the look-up of the credential', async () => {
  const clock = fakeClock();
  const credential = () => new Promise<string>(() => {});
  const call = platformFor('http://127.0.0.1:1', { clock, credential, totalTimeout: 700 }).me.get();
  call.catch(() => {});
  clock.advance(700);
  expect(await refusal(call, TimeoutError)).toMatchObject({ scope: 'total', attempts: 0 });
});

test('the total time-out limits the renewal of a refused credential', async () => {
  const clock = fakeClock();
  const asked = signalled();
  const credential = {
    get: () => ({ value: 'old' }),
    refused: () => {
      asked.happen();
      return new Promise<boolean>(() => {});
    },
  };
  const server = await serve((response) => refuse(response, 401, 'INVALID_TOKEN'));
  const call = platformFor(server.url, { clock, credential, totalTimeout: 700 }).me.get();
  call.catch(() => {});
  await asked.happened;
  clock.advance(700);
  expect(await refusal(call, TimeoutError)).toMatchObject({ scope: 'total', attempts: 1 });
});

test.each([
  ['onRequest', 'a connection that is found closed', true],
  ['onRetry', 'a connection that is found closed', true],
  ['onRequest', 'a lost connection', false],
  ['onRetry', 'a lost connection', false],
] as const)('aborting in %s ends the call, and nothing more is sent: %s', async (name, _, staleConnection) => {
  const clock = fakeClock();
  const controller = new AbortController();
  let sent = 0;
  const send = () => {
    sent++;
    return Promise.reject(Object.assign(new Error('closed'), { staleConnection }));
  };
  const hooks = { [name]: () => controller.abort() };
  const platform = platformFor('http://127.0.0.1:1', { clock, hooks, transport: { send } });
  await refusal(platform.me.get({ signal: controller.signal }), AbortedError);
  expect({ sent, timers: clock.armed() }).toEqual({ sent: 1, timers: 0 });
});

test('a transport that ignores a cancellation cannot block a call', async () => {
  const clock = fakeClock();
  const transport = { send: () => new Promise<never>(() => {}) };
  const call = platformFor('http://127.0.0.1:1', { clock, transport, timeout: 300, maxRetries: 0 }).me.get();
  call.catch(() => {});
  clock.advance(300);
  await refusal(call, TimeoutError);
});

test('one aborted call does not affect fifty parallel calls', async () => {
  const server = await serve((response, request) => {
    if (!request.url.endsWith('victim')) setImmediate(() => json(response, 200, client(ID)));
  });
  const platform = platformFor(server.url);
  const controller = new AbortController();
  const victim = platform.clients.get('victim', { signal: controller.signal });
  const others = Array.from({ length: 50 }, () => platform.clients.get(ID));
  controller.abort();
  await refusal(victim, AbortedError);
  expect(await Promise.all(others)).toHaveLength(50);
});
