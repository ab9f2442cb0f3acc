import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Platform } from '../platform.ts';
import type { TransportRequest } from '../transport/transport.ts';

const sent: TransportRequest[] = [];
const platform = new Platform({
  apiKey: 'plat_test_x',
  baseUrl: 'http://127.0.0.1:1/base',
  transport: {
    async send(request) {
      sent.push(request);
      return { status: 200, headers: new Headers(), body: '{"data":[],"has_more":false}' };
    },
  },
});

/** Ids of characters with a meaning in URLs. */
const anyId = fc
  .array(fc.constantFrom('.', '..', '/', '\\', '%', '%2e', '?', '#', '@', ':', '\r\n', '\0', '\ud800', 'ü', 'a', ' '))
  .map((pieces) => pieces.join(''));

/** Returns a value that only a caller without types can pass. */
function untyped(value: unknown): never {
  return value as never;
}

test.each(['', ' ', '.', '..', '\ud800', undefined, null, 7, {}, ['cli_1']])('the id %j is refused', async (id) => {
  sent.length = 0;
  const call = platform.clients.delete(untyped(id));
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'client_id', attempts: 0 });
  expect(sent).toHaveLength(0);
});

test('a request with any id stays on its route', async () => {
  await fc.assert(
    fc.asyncProperty(anyId, async (id) => {
      sent.length = 0;
      await platform.clients.get(id).catch(() => {});
      for (const { url } of sent) {
        const { pathname, search, hash } = new URL(url);
        expect(pathname.split('/')).toHaveLength(5);
        expect(pathname.startsWith('/base/v1/clients/')).toBe(true);
        expect(decodeURIComponent(pathname.slice('/base/v1/clients/'.length))).toBe(id);
        expect(search + hash).toBe('');
      }
    }),
  );
});

test.each([
  'v1/me',
  '',
  '//evil.test/v1/me',
  '/v1//clients',
  '/v1/clients/../me',
  '/v1/clients/%2E%2e/me',
  '/v1/./me',
  '/v1/me#x',
  '/v1\\me',
  '/v1/me HTTP/1.1\r\nx: y',
  '/v1/clients/ü',
  'http://evil.test/v1/me',
  '@evil.test/',
])('the path %j is refused', async (path) => {
  sent.length = 0;
  await expect(platform.request('GET', path)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'path' });
  expect(sent).toHaveLength(0);
});

test('a path can have a query, to which parameters are added', async () => {
  sent.length = 0;
  await platform.request('GET', '/v1/clients?limit=5', { query: { slug: 'a&b', status: undefined, deep: true } });
  expect(sent[0]?.url).toBe('http://127.0.0.1:1/base/v1/clients?limit=5&slug=a%26b&deep=true');
});

test.each([null, Number.NaN, {}, ['a'], '\udfff'])('the filter %j is refused, not omitted', async (slug) => {
  sent.length = 0;
  const call = platform.clients.list({ slug: untyped(slug) });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'slug' });
  expect(sent).toHaveLength(0);
});

test.each([null, 'name', ['name'], undefined, { name: 1n }])('the body %o is refused', async (body) => {
  const call = platform.clients.update('cli_1', untyped(body));
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'body' });
});

test('a request refuses an unknown method, and a body on GET', async () => {
  await expect(platform.request(untyped('TRACE'), '/v1/me')).rejects.toMatchObject({ argument: 'method' });
  await expect(platform.request('GET', '/v1/me', { body: {} })).rejects.toMatchObject({ argument: 'body' });
});

test.each<[Record<string, string>]>([
  [{ 'x-a': 'b\r\nx-evil: 1' }],
  [{ 'x-a\r\nx-evil': '1' }],
  [{ 'x-a': '\u0000' }],
  [{ Authorization: 'Bearer other' }],
  [{ Host: 'evil.test' }],
  [{ 'Content-Length': '0' }],
  [{ 'Transfer-Encoding': 'chunked' }],
  [{ 'Idempotency-Key': 'x' }],
])('the headers %j are refused', async (headers) => {
  sent.length = 0;
  await expect(platform.me.get({ headers })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(() => platform.withOptions({ headers })).toThrow(/^headers/);
  expect(sent).toHaveLength(0);
});

test.each([[new Headers({ 'x-a': '1' })], [new Map([['x-a', '1']])], [[['x-a', '1']]], ['x-a: 1']])(
  'headers that are no plain object (%o) are refused, not left out',
  async (headers) => {
    sent.length = 0;
    await expect(platform.me.get({ headers: untyped(headers) })).rejects.toMatchObject({ argument: 'headers' });
    expect(sent).toHaveLength(0);
  },
);

test('headers of a call override those of the client', async () => {
  sent.length = 0;
  const other = platform.withOptions({ headers: { 'X-Trace': 'a', 'x-team': 'b' } });
  await other.me.get({ headers: { 'x-trace': 'c' } });
  expect(sent[0]?.headers).toMatchObject({ 'x-trace': 'c', 'x-team': 'b' });
});

test.each([{}, new AbortController(), 'abort'])('the signal %o is refused', async (signal) => {
  sent.length = 0;
  const call = platform.me.get({ signal: untyped(signal) });
  await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'signal' });
  expect(sent).toHaveLength(0);
});

test.each([
  [{ timeout: 0 }, 'timeout'],
  [{ timeout: Number.NaN }, 'timeout'],
  [{ totalTimeout: -1 }, 'totalTimeout'],
  [{ maxRetries: 1.5 }, 'maxRetries'],
  [{ maxRetries: -1 }, 'maxRetries'],
])('the option %j is refused, for a call and for a client', async (options, argument) => {
  await expect(platform.me.get(options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument });
  expect(() => platform.withOptions(options)).toThrow(argument);
});
