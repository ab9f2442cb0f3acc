import { DEVICE_PATHS, HEADERS } from '@plat/contract';
import { captureStatements, newToken } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

/* Limits of calls without a credential, by network, for each part of the service. */

const LIMIT = 5;
const story = useServer({
  env: { PLAT_ADDRESS_RATE_LIMIT: String(LIMIT), PLAT_TRUSTED_PROXIES: '127.0.0.0/8', PLAT_DISPATCH: 'false' },
});

let last = 0;
/** Returns an address that no request has come from yet. */
const newAddress = (): string => `203.0.113.${++last}`;

interface Sent {
  readonly from: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(path: string, { from, method = 'GET', body, headers = {} }: Sent): Promise<Response> {
  return fetch(story.server.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: { 'x-forwarded-for': from, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'content-type': 'application/json' };
const HTML = { accept: 'text/html' };

const ROUTES: readonly (readonly [string, string, Omit<Sent, 'from'>])[] = [
  ['POST', '/oauth/token', { body: 'grant_type=refresh_token', headers: FORM }],
  ['POST', '/oauth/introspect', { body: 'token=x', headers: FORM }],
  ['POST', '/oauth/revoke', { body: 'token=x', headers: FORM }],
  ['GET', '/oauth/authorize?client_id=x', {}],
  ['POST', '/oauth/authorize/decision', { body: 'decision=allow', headers: FORM }],
  ['POST', DEVICE_PATHS.code, { body: '{"client_name":"plat"}', headers: JSON_BODY }],
  ['POST', DEVICE_PATHS.token, { body: '{"device_code":"plat_dc_x"}', headers: JSON_BODY }],
  ['GET', '/invitations/accept?token=x', {}],
  ['POST', '/invitations/accept', { body: 'token=x', headers: FORM }],
  ['GET', '/sign-in', {}],
  ['POST', '/sign-in', { body: 'email=a%40example.com', headers: FORM }],
  ['GET', '/sign-in/link?token=x', {}],
  ['GET', '/console/sign-in', {}],
  ['POST', '/console/sign-in/code', { body: 'code=123456', headers: FORM }],
  ['GET', '/console', {}],
  ['GET', '/.well-known/jwks.json', {}],
  ['GET', '/.well-known/oauth-authorization-server', {}],
  ['GET', '/.well-known/oauth-protected-resource', {}],
  ['GET', '/openapi.json', {}],
  ['GET', '/docs', {}],
];

test.each(ROUTES)(
  '%s %s answers 429 to a network that has used its requests of the minute',
  async (method, path, call) => {
    const from = newAddress();
    for (let i = 0; i < LIMIT; i++) expect((await send(path, { ...call, method, from })).status).not.toBe(429);
    let refused = await send(path, { ...call, method, from, headers: { ...call.headers, accept: 'application/json' } });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get(HEADERS.rateReset))).toBeGreaterThan(0);
    expect(refused.headers.get(HEADERS.rateRemaining)).toBe('0');
    const body: unknown = await refused.json();
    expect(body).toMatchObject({ code: 'RATE_LIMITED' });
    const isOAuth = /^\/oauth\/(?:token|introspect|revoke)|device/.test(path);
    if (isOAuth) expect(body).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });

    const statements = await captureStatements(story.server.db, async () => {
      refused = await send(path, { ...call, method, from, ...(method === 'POST' ? { body: '{' } : {}) });
    });
    expect(refused.status).toBe(429);
    expect(statements).toEqual([]);

    expect((await send(path, { ...call, method, from: newAddress() })).status).not.toBe(429);
  },
);

test('a browser gets a page that explains the limit', async () => {
  const from = newAddress();
  for (let i = 0; i < LIMIT; i++) await send('/sign-in', { from, headers: HTML });
  const refused = await send('/sign-in', { from, headers: HTML });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await refused.text()).toMatch(/Too many/);
});

test('addresses of one IPv6 network count together', async () => {
  for (let i = 0; i < LIMIT; i++) await send('/openapi.json', { from: `2001:db8:0:1::${i}` });
  expect((await send('/openapi.json', { from: '2001:db8:0:1:ffff::1' })).status).toBe(429);
  expect((await send('/openapi.json', { from: '2001:db8:0:2::1' })).status).toBe(200);
});

test('text in X-Forwarded-For that is no address is neither stored nor counted by', async () => {
  const { apiKey } = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, apiKey);
  const address = newAddress();
  const forwarded = [
    ['x'.repeat(300), '127.0.0.1'],
    [`${address}, \u00e9`, '127.0.0.1'],
    [`unknown, ${address}`, address],
    [`unknown, ${address}, unknown`, '127.0.0.1'],
    [`${address}:4711`, address],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    [`fe80::1%${'x'.repeat(60)}`, 'fe80::1'],
  ] as const;
  for (const [given, stored] of forwarded) {
    const headers = { 'x-forwarded-for': given };
    const { status, headers: answered } = await api('/v1/clients', { body: { name: 'Acme' }, headers });
    expect(status).toBe(201);
    expectRefusal(await api('/v1/nothing', { headers }), 'NOT_FOUND');
    const id = answered.get(HEADERS.requestId);
    const { body: audit } = await api('/v1/audit/events?limit=1');
    expect(audit.data[0]).toMatchObject({ ip: stored, request_id: id });
    const { body: log } = await api('/v1/requests?limit=1&code=NOT_FOUND');
    expect(log.data[0]).toMatchObject({ ip: stored });
  }
});

test('each part of the service counts separately', async () => {
  const from = newAddress();
  for (let i = 0; i <= LIMIT; i++) await send('/sign-in', { from });
  expect((await send('/sign-in', { from })).status).toBe(429);
  expect((await send('/.well-known/jwks.json', { from })).status).toBe(200);
});

describe.each([
  ['/v1/me', 'plat_test_'],
  ['/developer/v1/me', 'plat_dv_'],
] as const)('rejected credentials at %s', (path, prefix) => {
  const guess = (from: string) => send(path, { from, headers: { authorization: `Bearer ${newToken(prefix)}` } });

  test('end in 429 without a query', async () => {
    const from = newAddress();
    for (let i = 0; i < LIMIT; i++) expect((await guess(from)).status).toBe(401);
    expect((await guess(from)).status).toBe(429);
    let refused = new Response();
    const statements = await captureStatements(story.server.db, async () => {
      refused = await guess(from);
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get(HEADERS.rateReset))).toBeGreaterThan(0);
    expect(refused.headers.get(HEADERS.rateRemaining)).toBe('0');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(statements).toEqual([]);
  });

  test('count when there is no credential at all', async () => {
    const from = newAddress();
    for (let i = 0; i < LIMIT; i++) expect((await send(path, { from })).status).toBe(401);
    expect((await send(path, { from })).status).toBe(429);
  });
});

test.each([
  ['a vendor key', '/v1/me', 'VENDOR_KEY_NOT_ALLOWED_ON_V1', () => story.server.createVendorKey()],
  ['the key of a tenant', '/operator/v1/tenants', 'FORBIDDEN', async () => (await story.server.createTenant()).apiKey],
] as const)(
  '%s at %s is refused like an unknown credential: in the end without a query',
  async (_, path, code, newKey) => {
    const from = newAddress();
    const headers = { authorization: `Bearer ${await newKey()}` };
    for (let i = 0; i < LIMIT; i++) expect(await (await send(path, { from, headers })).json()).toMatchObject({ code });
    expect((await send(path, { from, headers })).status).toBe(429);
    const statements = await captureStatements(story.server.db, async () => {
      expect((await send(path, { from, headers })).status).toBe(429);
    });
    expect(statements).toEqual([]);
  },
);

test('a credential that works is not limited by rejected credentials from the same address', async () => {
  const from = newAddress();
  const { apiKey } = await story.server.createTenant();
  const me = () => apiOf(story.server.baseUrl, apiKey)('/v1/me', { headers: { 'x-forwarded-for': from } });
  expect((await me()).status).toBe(200);
  for (let i = 0; i <= LIMIT; i++) await send('/v1/me', { from });
  expect((await send('/v1/me', { from })).status).toBe(429);
  expect((await me()).status).toBe(200);
  // A credential that has not worked yet waits with the unknown ones.
  const { apiKey: other } = await story.server.createTenant();
  const refused = await apiOf(story.server.baseUrl, other)('/v1/me', { headers: { 'x-forwarded-for': from } });
  expectRefusal(refused, 'RATE_LIMITED');
});

test('a credential that stops working counts as unknown again', async () => {
  const from = newAddress();
  const { apiKey, tenantId } = await story.server.createTenant();
  const me = () => apiOf(story.server.baseUrl, apiKey)('/v1/me', { headers: { 'x-forwarded-for': from } });
  expect((await me()).status).toBe(200);
  for (let i = 0; i <= LIMIT; i++) await send('/v1/me', { from });
  await story.server.mintKey(tenantId);
  expectRefusal(await me(), 'RATE_LIMITED');
  const statements = await captureStatements(story.server.db, async () => {
    expectRefusal(await me(), 'RATE_LIMITED');
  });
  expect(statements).toEqual([]);
});
