import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Warning } from './call/hooks.ts';
import type { BearerToken, Credential } from './credential.ts';
import { ApiError } from './errors/api-error.ts';
import { Platform } from './platform.ts';
import type { PlatformOptions } from './platform-options.ts';
import { API_KEY, client, platformFor, refusal } from './testing/build.ts';
import { impatientClock } from './testing/fake-clock.ts';
import { json, refuse, serve } from './testing/serve.ts';
import type { Transport } from './transport/transport.ts';
import { VERSION } from './version.ts';

const BASE = 'http://127.0.0.1:1';

test.each([
  [undefined, 'is required'],
  ['', 'is required'],
  ['127.0.0.1:4010', 'must begin with https:// or http://'],
  ['ftp://x.test', 'must begin with https:// or http://'],
  ['http://', 'is not a valid URL'],
  ['http://a b', 'is not a valid URL'],
  ['https://user:SeCrEt@x.test', 'must not have a user name or password'],
  ['https://x.test?a=1', 'must not have a query'],
  ['https://x.test/#', 'must not have a query or fragment'],
  ['https://x.test/v1/', 'ends before /v1'],
])('the base URL %j is refused: %s', (baseUrl, reason) => {
  const make = () => new Platform({ apiKey: API_KEY, baseUrl: baseUrl as string });
  expect(make).toThrow(`baseUrl: ${reason}`);
  expect(make).not.toThrow(/SeCrEt/);
});

test.each<[Partial<PlatformOptions>, string]>([
  [{}, 'apiKey: is required'],
  [{ apiKey: 'a', credential: 'b' }, 'apiKey: and credential are the same'],
  [{ apiKey: 'a', transport: { send: fail }, fetch: fail }, 'transport: and fetch exclude each other'],
  [{ apiKey: 'a', transport: {} as never }, 'transport: must be an object with a method send'],
  [{ apiKey: 'a', fetch: 5 as never }, 'fetch: must be a function'],
  [{ apiKey: 'a', baseUrl: new URL(BASE) as never }, 'baseUrl: must be a string'],
  [{ apiKey: 'a', userAgent: 'x\r\ny' }, 'userAgent: must be'],
])('the options %# are refused', (options, reason) => {
  expect(() => new Platform({ baseUrl: BASE, ...options })).toThrow(reason);
});

test('withMeta returns request id, status, headers and rate limit', async () => {
  const rate = { 'x-ratelimit-limit': 600, 'x-ratelimit-remaining': 599, 'x-ratelimit-reset': 1_767_225_660 };
  const server = await serve((response) => json(response, 200, client('cli_1'), rate));
  const { data, headers, ...meta } = await platformFor(server.url).clients.get('cli_1').withMeta();
  expect(data.id).toBe('cli_1');
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '600', 'content-type': 'application/json; charset=utf-8' });
  expect(meta).toEqual({
    requestId: 'req_01hzzzzzzzzzzzzzzzzzzzzzzz',
    status: 200,
    rateLimit: { limit: 600, remaining: 599, resetAt: new Date('2026-01-01T00:01:00Z') },
    attempts: 1,
    idempotentReplayed: false,
  });
});

test('a call behaves like a promise', async () => {
  const server = await serve((response, request) =>
    request.url.endsWith('no') ? refuse(response, 404, 'CLIENT_NOT_FOUND') : json(response, 200, client('cli_1')),
  );
  const { clients } = platformFor(server.url);
  const steps: string[] = [];
  const [one, two] = await Promise.all([clients.get('cli_1'), clients.get('cli_1').finally(() => steps.push('done'))]);
  expect(one).toEqual(two);
  expect(await clients.get('no').catch((error) => error instanceof ApiError)).toBe(true);
  expect(await clients.get('cli_1').then()).toEqual(one);
  await expect(clients.get('no').then()).rejects.toBeInstanceOf(ApiError);
  expect(steps).toEqual(['done']);
});

test('request returns null for an empty body', async () => {
  const server = await serve((response) => response.writeHead(204).end());
  expect(await platformFor(server.url).request('DELETE', '/v1/things/x')).toBeNull();
});

test.each([
  [400, 'INVALID_REQUEST'],
  [401, 'INVALID_TOKEN'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [413, 'PAYLOAD_TOO_LARGE'],
  [422, 'UNPROCESSABLE'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
  [503, 'SERVICE_UNAVAILABLE'],
])('an unknown code with status %i appears as %s, and unchanged in rawCode', async (status, code) => {
  const server = await serve((response) => refuse(response, status, 'BRAND_NEW'));
  const error = await refusal(platformFor(server.url, { maxRetries: 0 }).me.get(), ApiError);
  expect(error).toMatchObject({ code, rawCode: 'BRAND_NEW', status, requestId: 'req_01hzzzzzzzzzzzzzzzzzzzzzzz' });
});

test('an error has the invalid fields, and can be written as JSON', async () => {
  const errors = [{ path: 'name', message: 'must not be empty' }];
  const server = await serve((response) => json(response, 400, { code: 'INVALID_BODY', message: 'Bad body', errors }));
  const error = await refusal(platformFor(server.url).clients.create({ name: '' }), ApiError);
  expect(error.message).toBe('Bad body (INVALID_BODY, HTTP 400)');
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    name: 'ApiError',
    code: 'INVALID_BODY',
    status: 400,
    errors,
  });
});

test('hooks are called for each step in order', async () => {
  const steps: string[] = [];
  const server = await serve((response, _, index) =>
    index === 0 ? refuse(response, 500, 'INTERNAL_ERROR') : refuse(response, 404, 'CLIENT_NOT_FOUND'),
  );
  const hooks: PlatformOptions['hooks'] = {
    onRequest: (event) => steps.push(`request ${event.operation} ${event.attempt} ${event.url}`),
    onResponse: (event) => steps.push(`response ${event.status} ${event.requestId}`),
    onRetry: (event) => steps.push(`retry after ${event.delay} ${event.error.code}`),
    onError: (event) => steps.push(`error ${event.error.code} ${event.attempts} ${event.duration}`),
  };
  await refusal(platformFor(server.url, { hooks, clock: impatientClock() }).clients.get('cli_1'), ApiError);
  const id = 'req_01hzzzzzzzzzzzzzzzzzzzzzzz';
  expect(steps).toEqual([
    `request clients.get 1 ${server.url}/v1/clients/cli_1`,
    `response 500 ${id}`,
    'retry after 250 INTERNAL_ERROR',
    `request clients.get 2 ${server.url}/v1/clients/cli_1`,
    `response 404 ${id}`,
    'error CLIENT_NOT_FOUND 2 250',
  ]);
});

test('failing hooks and warning functions break nothing', async () => {
  const warnings: Warning[] = [];
  const server = await serve((response, _, index) =>
    index === 0 ? refuse(response, 500, 'INTERNAL_ERROR') : json(response, 200, client('cli_1'), { deprecation: '@1' }),
  );
  const hooks = { onRequest: fail, onResponse: async () => fail(), onRetry: fail };
  const onWarning = (warning: Warning) => {
    warnings.push(warning);
    return fail();
  };
  const platform = platformFor(server.url, { hooks, onWarning, clock: impatientClock() });
  await platform.clients.get('cli_1');
  await platform.clients.get('cli_1');
  expect(warnings.map(({ code, subject }) => `${code} ${subject}`).toSorted()).toEqual([
    'DEPRECATED_OPERATION clients.get',
    'HOOK_FAILED onRequest',
    'HOOK_FAILED onResponse',
    'HOOK_FAILED onRetry',
  ]);
});

test('a deprecated operation warns once, also for derived clients and other ids', async () => {
  const warnings: Warning[] = [];
  const server = await serve((response, request) =>
    json(response, 200, client('x'), request.url === '/v1/me' ? {} : { deprecation: 'Wed, 01 Jul 2026 00:00:00 GMT' }),
  );
  const platform = platformFor(server.url, { onWarning: (warning) => warnings.push(warning) });
  const ids = ['cli_01hzzzzzzzzzzzzzzzzzzzzzz1', 'cli_01hzzzzzzzzzzzzzzzzzzzzzz2'];
  for (const id of ids) {
    await platform.withOptions({ apiKey: 'plat_test_other' }).clients.get(id);
    await platform.request('GET', `/v1/clients/${id}`);
    await platform.me.get();
  }
  expect(warnings.map((warning) => warning.subject)).toEqual(['clients.get', 'GET /v1/clients/{id}']);
  expect(warnings[0]?.message).toContain('clients.get is deprecated as of 2026-07-01; ');
});

test('withOptions keeps the options whose change is undefined', async () => {
  const sent: string[] = [];
  const transport: Transport = {
    async send({ headers }) {
      sent.push(headers['authorization'] ?? '');
      return { status: 200, headers: new Headers(), body: '{"object":"me"}' };
    },
  };
  vi.stubEnv('PLAT_API_KEY', 'plat_test_of_the_environment');
  onTestFinished(() => void vi.unstubAllEnvs());
  const platform = new Platform({ baseUrl: 'https://api.example.test', credential: () => 'ours', transport });
  const changes = { credential: undefined, apiKey: undefined, transport: undefined, fetch: undefined };
  await platform.withOptions({ ...changes, baseUrl: undefined, timeout: undefined }).me.get();
  expect(sent).toEqual(['Bearer ours']);
});

test('withOptions changes the given options and shares the rest, including connections', async () => {
  const server = await serve((response) => json(response, 200, client('x')));
  const platform = platformFor(server.url, { userAgent: 'app/1' });
  await platform.me.get();
  await platform.withOptions({ apiKey: 'plat_test_tenant2' }).me.get();
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${API_KEY}`,
    'Bearer plat_test_tenant2',
  ]);
  expect(server.received[1]?.headers['user-agent']).toContain('app/1');
  expect(server.connections()).toBe(1);
});

test('a credential function is called before each attempt', async () => {
  const server = await serve((response, _, index) =>
    index === 0 ? refuse(response, 500, 'INTERNAL_ERROR') : json(response, 200, client('x')),
  );
  let count = 0;
  const credential = async () => `token-${++count}`;
  await platformFor(server.url, { credential, clock: impatientClock() }).me.get();
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
});

test.each(['', 'a b', 'x\r\ny: z', undefined, 7])(
  'with a credential function that returns %j nothing is sent',
  async (value) => {
    const server = await serve((response) => json(response, 200, client('x')));
    const call = platformFor(server.url, { credential: () => value as string }).me.get();
    await expect(call).rejects.toMatchObject({ code: 'CREDENTIAL_UNAVAILABLE' });
    expect(server.received).toHaveLength(0);
  },
);

test('a refused token is renewed once and the call repeated, in addition to the retries', async () => {
  const refusedTokens: BearerToken[] = [];
  const tokens = [{ value: 'old' }, { value: 'new' }];
  const credential: Credential = {
    get: () => tokens[refusedTokens.length] ?? { value: 'none' },
    refused: async (token) => refusedTokens.push(token) > 0,
  };
  const server = await serve((response, { headers }) =>
    headers.authorization === 'Bearer new' ? json(response, 200, client('x')) : refuse(response, 401, 'INVALID_TOKEN'),
  );
  const platform = platformFor(server.url, { credential, maxRetries: 0 });
  expect((await platform.me.get().withMeta()).attempts).toBe(2);
  expect(refusedTokens[0]).toBe(tokens[0]);
  tokens[1] = { value: 'bad' };
  refusedTokens.length = 0;
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'INVALID_TOKEN', attempts: 2 });
  expect(refusedTokens).toHaveLength(1);
});

test('a refused permission is no refused token', async () => {
  let asked = 0;
  const credential: Credential = { get: () => ({ value: 'x' }), refused: () => ++asked > 0 };
  const server = await serve((response) => refuse(response, 403, 'INSUFFICIENT_SCOPE'));
  await refusal(platformFor(server.url, { credential }).me.get(), ApiError);
  expect(asked).toBe(0);
});

test('the version is that of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(VERSION).toBe(manifest.version);
  expect(Object.keys(manifest.dependencies)).toEqual(['@plat/contract']);
});

test('modules outside the Node transport import nothing from Node', () => {
  const root = new URL('.', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'))
    .filter((file) => {
      const code = readFileSync(new URL(file, root), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '');
      return /^import (?!type).*'node:|^await |(?<!-)\bprocess\.|\bBuffer\./m.test(code);
    });
  // The entry `@plat/sdk/node`, and modules that first check for a process.
  const forNode = ['oauth/stores/file-lock.ts', 'oauth/stores/file-store.ts', 'transport/node.ts'];
  expect(files.sort()).toEqual(['checks/node.ts', 'oauth/this-process.ts', ...forNode].sort());
});

function fail(): never {
  throw new Error('hook broke');
}

test('await using closes the idle connections of a client', async () => {
  let closed = 0;
  const transport = { send: () => Promise.reject(new Error('unused')), close: () => void closed++ };
  {
    await using platform = new Platform({ apiKey: 'plat_test_x', baseUrl: 'http://127.0.0.1:1', transport });
    expect(platform.me).toBeDefined();
  }
  expect(closed).toBe(1);
});
