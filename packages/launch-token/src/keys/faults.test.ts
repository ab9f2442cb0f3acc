import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AUDIENCE, createSigningKey, ISSUER, jwksOf, mint, T } from '../issuer.fixture.ts';
import { outcomeOf } from '../outcome.fixture.ts';
import { createLaunchVerifier } from '../verifier.ts';
import { createLaunchVerifier as createWebVerifier } from '../web-verifier.ts';
import { type Answer, json, type KeyServer, startKeyServer } from './key-server.fixture.ts';

const key = createSigningKey('key_1');
const good = jwksOf(key);
const token = mint(key);
const MIB = 2 ** 20;

let server: KeyServer;
let seconds: number;
const now = (): number => seconds * 1000;
const make = (): ReturnType<typeof createLaunchVerifier> =>
  createLaunchVerifier({ issuer: ISSUER, audience: AUDIENCE, jwksUri: server.url, now });

beforeEach(async () => {
  seconds = T;
  server = await startKeyServer(json(good));
});
afterEach(async () => {
  vi.useRealTimers();
  await server.stop();
});

const status =
  (code: number, headers: Record<string, string> = {}, body = good): Answer =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

/** Streams `bytes` bytes with back-pressure and without Content-Length. */
const pour =
  (bytes: number): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`${good.slice(0, -1)},"x":"`);
    let left = bytes;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 65_536;
        if (!response.write('a'.repeat(65_536))) return void response.once('drain', more);
      }
      response.end('"}');
    };
    more();
  };

const faults: Record<string, Answer> = {
  'status 500': status(500),
  'status 404': status(404),
  'status 204': status(204, {}, ''),
  'status 206, a part': status(206),
  'status 304': status(304, {}, ''),
  'a redirect to a good key set': (request, response) =>
    request.url === '/elsewhere'
      ? json(good)(request, response)
      : status(302, { location: '/elsewhere' })(request, response),
  'a permanent redirect': (request, response) =>
    request.url === '/elsewhere'
      ? json(good)(request, response)
      : status(308, { location: '/elsewhere' })(request, response),
  'a page of HTML': json('<!doctype html><title>Log in</title>', { 'content-type': 'text/html' }),
  'a page of HTML that says it is JSON': json('<!doctype html><title>Log in</title>'),
  'a good key set as text': json(good, { 'content-type': 'text/plain' }),
  'a good key set as something like JSON': json(good, { 'content-type': 'application/jsonx' }),
  'a good key set without a type': (_, response) => void response.end(good),
  nothing: json(''),
  'an array': json(`[${good}]`),
  'an object without keys': json('{}'),
  'keys that are no array': json('{"keys":{"0":{}}}'),
  'keys twice': json(good.replace('{', '{"keys":[],')),
  'a key with a member twice': json(good.replace('"kid":', '"kid":"other","kid":')),
  'half of a key set': json(good.slice(0, -20)),
  'a key set that ends in the middle': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': good.length });
    response.write(good.slice(0, 100), () => response.destroy());
  },
  'no answer, but an end': (_, response) => void response.destroy(),
  'no HTTP': (_, response) => void response.socket?.end('key set\r\n\r\n'),
  'a byte order mark': json(`\ufeff${good}`),
  'no strict UTF-8': json(Buffer.from(good.replace('key_1', '\xff'), 'latin1')),
  '32 MiB': pour(32 * MIB),
  '32 MiB, and says so': (request, response) => {
    response.setHeader('content-length', 32 * MIB);
    pour(32 * MIB)(request, response);
  },
  '32 MiB in 32 KiB of gzip': json(gzipSync(Buffer.alloc(32 * MIB, 0x20)), { 'content-encoding': 'gzip' }),
  'a byte more than it may have': json(good + ' '.repeat(256 * 1024 - good.length + 1)),
};

describe('a key set that is', () => {
  test.each(Object.entries(faults))('%s: no token is accepted until a valid key set is fetched', async (_, fault) => {
    server.answer = fault;
    const verifier = make();
    const refused = await outcomeOf(() => verifier.verify(token));
    expect(refused).toMatchObject({ code: 'KEYS_UNAVAILABLE', status: 503 });
    expect(await outcomeOf(() => verifier.hydrate())).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    expect(await outcomeOf(() => verifier.verifySync(token))).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    server.answer = json(good);
    seconds += 1;
    expect(await outcomeOf(() => verifier.verify(token))).toMatchObject({ code: 'ok' });
  });

  test.each(Object.entries(faults))('%s: the current keys serve for an hour, and then none', async (_, fault) => {
    const verifier = make();
    await verifier.hydrate();
    server.answer = fault;
    seconds = T + 3599;
    const late = mintAt(seconds);
    expect(await outcomeOf(() => verifier.verify(late))).toMatchObject({ code: 'ok' });
    expect(await outcomeOf(() => verifier.verifySync(late))).toMatchObject({ code: 'ok' });
    seconds = T + 3600;
    expect(await outcomeOf(() => verifier.verify(late))).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    expect(await outcomeOf(() => verifier.verifySync(late))).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });
});

test('a key set of exactly 256 KiB is accepted, with any spelling of its content type', async () => {
  server.answer = json(good + ' '.repeat(256 * 1024 - good.length), {
    'content-type': 'Application/JWK-Set+JSON; charset=utf-8',
  });
  expect(await outcomeOf(() => make().verify(token))).toMatchObject({ code: 'ok' });
});

describe('with a deadline of 4 seconds', () => {
  const slow: Record<string, Answer> = {
    'a server that hangs': () => undefined,
    'a body that never ends': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(good.slice(0, 50));
    },
    'a byte at a time': (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    },
  };
  test.each(Object.entries(slow))('%s is aborted, and its connection closed', async (_, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    server.answer = answer;
    for (const verifier of [
      make(),
      createWebVerifier({ issuer: ISSUER, audience: AUDIENCE, jwksUri: server.url, now }),
    ]) {
      const arrival = server.arrival();
      const outcome = outcomeOf(() => verifier.verify(token));
      const response = await arrival;
      const closed = new Promise((resolve) => response.once('close', resolve));
      await vi.advanceTimersByTimeAsync(3999);
      expect(await Promise.race([outcome, setImmediate('waits')])).toBe('waits');
      await vi.advanceTimersByTimeAsync(1);
      expect(await outcome).toMatchObject({ code: 'KEYS_UNAVAILABLE', message: expect.stringContaining('4000 ms') });
      await closed;
    }
  });

  test('a fetch that ignores the signal is abandoned too', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    const verifier = createLaunchVerifier({ issuer: ISSUER, audience: AUDIENCE, fetch, now });
    const outcome = outcomeOf(() => verifier.verify(token));
    await vi.advanceTimersByTimeAsync(4000);
    expect(await outcome).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });
});

test('a key set behind a redirect is not trusted, also when `fetch` follows it', async () => {
  const response = new Response(good, { headers: { 'content-type': 'application/json' } });
  Object.defineProperty(response, 'redirected', { value: true });
  const verifier = createLaunchVerifier({ issuer: ISSUER, audience: AUDIENCE, now, fetch: async () => response });
  expect(await outcomeOf(() => verifier.verify(token))).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
});

test('without a server the token is refused, and the error has the cause', async () => {
  await server.stop();
  const error: unknown = await make()
    .verify(token)
    .catch((refused: unknown) => refused);
  expect(error).toMatchObject({ code: 'KEYS_UNAVAILABLE', cause: { cause: { code: 'ECONNREFUSED' } } });
});

test('1,000 simultaneous tokens cause one fetch, at a cold start and with expired keys', async () => {
  const verifier = make();
  const stampede = async (each: string): Promise<void> => {
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => outcomeOf(() => verifier.verify(each))));
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['ok']));
  };
  await stampede(token);
  expect(server.requests).toBe(1);
  seconds += 3600;
  await stampede(mintAt(seconds));
  expect(server.requests).toBe(2);
});

test('1,000 simultaneous tokens cause one fetch of a failing key set', async () => {
  server.answer = status(500);
  const verifier = make();
  const outcomes = await Promise.all(Array.from({ length: 1000 }, () => outcomeOf(() => verifier.verify(token))));
  expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(['KEYS_UNAVAILABLE']));
  expect(server.requests).toBe(1);
});

function mintAt(at: number): string {
  return mint(key, {
    claims: {
      ...JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
      iat: at - 1,
      exp: at + 100,
    },
  });
}
