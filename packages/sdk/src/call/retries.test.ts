import { expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { client, platformFor, refusal } from '../testing/build.ts';
import { impatientClock } from '../testing/fake-clock.ts';
import { json, refuse, serve } from '../testing/serve.ts';

const ID = 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz';

test('an INTERNAL_ERROR is retried with a growing delay', async () => {
  const clock = impatientClock();
  const server = await serve((response, _, index) =>
    index < 2 ? refuse(response, 500, 'INTERNAL_ERROR') : json(response, 200, client(ID)),
  );
  const answer = await platformFor(server.url, { clock }).clients.get(ID).withMeta();
  expect(answer.attempts).toBe(3);
  expect(clock.waits).toEqual([250, 500]);
});

test.each([
  [0, [250, 500, 1000, 2000, 4000, 4000]],
  [0.5, [375, 750, 1500, 3000, 6000, 6000]],
])('the delay grows to 8 s, half of it random: %d', async (chance, waits) => {
  const clock = { ...impatientClock(), random: () => chance };
  const server = await serve((response) => refuse(response, 500, 'INTERNAL_ERROR'));
  await refusal(platformFor(server.url, { clock }).me.get({ maxRetries: 6 }), ApiError);
  expect(clock.waits).toEqual(waits);
});

test('a 408 of a proxy is retried', async () => {
  const server = await serve((response, _, index) =>
    index === 0 ? response.writeHead(408).end() : json(response, 200, client(ID)),
  );
  const answer = await platformFor(server.url, { clock: impatientClock() }).clients.get(ID).withMeta();
  expect(answer.attempts).toBe(2);
});

test('the last error is thrown when the retries are used up', async () => {
  const server = await serve((response) => refuse(response, 503, 'SERVICE_UNAVAILABLE'));
  const error = await refusal(platformFor(server.url, { clock: impatientClock() }).me.get(), ApiError);
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, attempts: 3, retryable: true });
  expect(server.received).toHaveLength(3);
});

test('no retry is made when maxRetries is 0', async () => {
  const server = await serve((response) => refuse(response, 500, 'INTERNAL_ERROR'));
  const error = await refusal(platformFor(server.url).me.get({ maxRetries: 0 }), ApiError);
  expect(error.attempts).toBe(1);
});

test('a permanent error is not retried', async () => {
  const server = await serve((response) => refuse(response, 409, 'SLUG_IN_USE'));
  const error = await refusal(platformFor(server.url).clients.create({ name: 'A', slug: 'a' }), ApiError);
  expect(error).toMatchObject({ code: 'SLUG_IN_USE', generalCode: 'CONFLICT', attempts: 1, retryable: false });
});

test.each([
  ['CERT_HAS_EXPIRED', 1],
  ['EPROTO', 1],
  ['ECONNRESET', 3],
])('a request that fails with %s is sent %d times', async (code, times) => {
  let requests = 0;
  const fetch = async () => {
    requests++;
    throw Object.assign(new TypeError('fetch failed'), { cause: { code } });
  };
  const error = await refusal(
    platformFor('http://127.0.0.1:1', { clock: impatientClock(), fetch }).me.get(),
    ConnectionError,
  );
  expect([requests, error.retryable]).toEqual([times, times > 1]);
});

test('Retry-After in seconds is respected', async () => {
  const clock = impatientClock();
  const server = await serve((response, _, index) =>
    index === 0 ? refuse(response, 429, 'RATE_LIMITED', { 'retry-after': 7 }) : json(response, 200, client(ID)),
  );
  await platformFor(server.url, { clock }).clients.get(ID);
  expect(clock.waits).toEqual([7000]);
});

test.each([
  [7, 7350],
  [20, 20_500],
])('Retry-After of %d s is extended by at most a tenth and 1 s, never shortened', async (seconds, wait) => {
  const clock = { ...impatientClock(21_000), random: () => 0.5 };
  const server = await serve((response, _, index) =>
    index === 0 ? refuse(response, 429, 'RATE_LIMITED', { 'retry-after': seconds }) : json(response, 200, client(ID)),
  );
  await platformFor(server.url, { clock }).clients.get(ID);
  expect(clock.waits).toEqual([wait]);
});

test('Retry-After as an HTTP-date is compared with the Date of the response', async () => {
  const clock = impatientClock();
  const server = await serve((response, _, index) => {
    if (index > 0) return json(response, 200, client(ID));
    const headers = { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:12 GMT' };
    return refuse(response, 429, 'RATE_LIMITED', headers);
  });
  await platformFor(server.url, { clock }).clients.get(ID);
  expect(clock.waits).toEqual([12_000]);
});

test.each(['0', '-1', 'soon', '1e3', '', '2030-01-01'])(
  'a Retry-After of 0, or a malformed one (%j), causes the usual delay',
  async (value) => {
    const clock = impatientClock();
    const server = await serve((response, _, index) =>
      index === 0 ? refuse(response, 429, 'RATE_LIMITED', { 'retry-after': value }) : json(response, 200, client(ID)),
    );
    await platformFor(server.url, { clock }).clients.get(ID);
    expect(clock.waits).toEqual([250]);
  },
);

test('the Retry-After of a page of a proxy is respected', async () => {
  const clock = impatientClock();
  const server = await serve((response, _, index) =>
    index === 0
      ? response.writeHead(503, { 'content-type': 'text/html', 'retry-after': '7' }).end('<p>Back soon</p>')
      : json(response, 200, client(ID)),
  );
  await platformFor(server.url, { clock }).clients.get(ID);
  expect(clock.waits).toEqual([7000]);
});

test('a Retry-After beyond the remaining time throws the 429 at once', async () => {
  const clock = impatientClock();
  const reset = { 'x-ratelimit-limit': 600, 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': 1_767_225_660 };
  const server = await serve((response) => refuse(response, 429, 'RATE_LIMITED', { 'retry-after': 61, ...reset }));
  const error = await refusal(platformFor(server.url, { clock, totalTimeout: 60_000 }).me.get(), ApiError);
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 61, attempts: 1, retryable: true });
  expect(error.rateLimit).toEqual({ limit: 600, remaining: 0, resetAt: new Date('2026-01-01T00:01:00Z') });
  expect(clock.waits).toEqual([]);
});

test('all attempts of a POST have one Idempotency-Key, and the next call has another', async () => {
  const server = await serve((response, _, index) => {
    if (index === 0) return refuse(response, 500, 'INTERNAL_ERROR');
    if (index === 1) return refuse(response, 409, 'IDEMPOTENCY_KEY_IN_USE', { 'retry-after': 1 });
    return json(response, 201, client(ID), { 'idempotent-replayed': 'true' });
  });
  const platform = platformFor(server.url, { clock: { ...impatientClock(), uuid: () => crypto.randomUUID() } });
  const first = await platform.clients.create({ name: 'Acme' }).withMeta();
  await platform.clients.create({ name: 'Acme' });
  const keys = server.received.map((request) => request.headers['idempotency-key']);
  expect(first).toMatchObject({ attempts: 3, idempotentReplayed: true, status: 201 });
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[3]).not.toBe(keys[0]);
});

test('the Idempotency-Key of the caller is used, and only a POST accepts one', async () => {
  const server = await serve((response) => json(response, 201, client(ID)));
  const platform = platformFor(server.url);
  await platform.clients.create({ name: 'Acme' }, { idempotencyKey: 'order-17' });
  expect(server.received[0]?.headers['idempotency-key']).toBe('order-17');
  await platform.clients.get(ID);
  expect(server.received[1]?.headers).not.toHaveProperty('idempotency-key');
  const patch = platform.request('PATCH', '/v1/clients/x', { body: {}, idempotencyKey: 'k' });
  await expect(patch).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'idempotencyKey' });
});

test.each(['', 'a b', 'a\r\nx: y', 'ü', 'k'.repeat(256)])('the Idempotency-Key %j is refused', async (key) => {
  const server = await serve((response) => json(response, 201, client(ID)));
  const call = platformFor(server.url).clients.create({ name: 'Acme' }, { idempotencyKey: key });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'idempotencyKey', attempts: 0 });
  expect(server.received).toHaveLength(0);
});

test.each(['GET', 'POST', 'PATCH', 'DELETE'] as const)(
  'a %s whose connection breaks before the response is retried',
  async (method) => {
    const server = await serve((response, _, index) =>
      index === 0 ? response.destroy() : json(response, 200, client(ID)),
    );
    const platform = platformFor(server.url, { clock: impatientClock() });
    await expect(platform.request(method, '/v1/clients/x')).resolves.toMatchObject({ id: ID });
    expect(server.received.map((request) => request.method)).toEqual([method, method]);
  },
);

test('a refused connection causes a ConnectionError with the address and the reason', async () => {
  const server = await serve(() => {});
  server.server.close();
  const error = await refusal(platformFor(server.url, { clock: impatientClock() }).me.get(), ConnectionError);
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true, attempts: 3, requestId: null });
  expect(error.message).toBe(`No answer from ${server.url}: ECONNREFUSED`);
  expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
});

test('idle connections that the server dropped are replaced at once, without a retry', async () => {
  const clock = impatientClock();
  const server = await serve((response, _, index) => {
    // Two connections become idle. Then the server resets the one that is used.
    if (index < 2) setTimeout(() => json(response, 200, client(ID)), 20);
    else if (index === 2) response.socket?.resetAndDestroy();
    else if (index === 3) refuse(response, 500, 'INTERNAL_ERROR');
    else json(response, 200, client(ID));
  });
  const platform = platformFor(server.url, { clock, maxRetries: 1 });
  await Promise.all([platform.clients.get(ID), platform.clients.get(ID)]);
  const answer = await platform.clients.get(ID).withMeta();
  expect(answer.attempts).toBe(3);
  expect(clock.waits).toEqual([250]);
  expect(server.connections()).toBe(3);
});

test.each([
  [2, 4, [0, 250, 500]],
  [0, 1, []],
])(
  'with maxRetries %d, attempts whose connection is always found closed end after %d',
  async (maxRetries, attempts, delays) => {
    const clock = impatientClock();
    const retries: number[] = [];
    const hooks = { onRetry: ({ delay }: { delay: number }) => void retries.push(delay) };
    let sent = 0;
    const send = () => Promise.reject(Object.assign(new Error('closed'), { staleConnection: ++sent < 20 }));
    const platform = platformFor('http://127.0.0.1:1', { clock, hooks, maxRetries, transport: { send } });
    expect((await refusal(platform.me.get(), ConnectionError)).attempts).toBe(attempts);
    expect(retries).toEqual(delays);
  },
);

test('a 502 page of a proxy is retried, and then causes an InvalidResponseError', async () => {
  const page = '<html><body>\n<h1>502 Bad Gateway</h1></body></html>';
  const server = await serve((response) => response.writeHead(502, { 'content-type': 'text/html' }).end(page));
  const error = await refusal(platformFor(server.url, { clock: impatientClock() }).me.get(), InvalidResponseError);
  expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 502, retryable: true, attempts: 3 });
  expect(error.message).toContain('text/html: <html><body> <h1>502 Bad Gateway</h1>');
});
