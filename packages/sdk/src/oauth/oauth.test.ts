import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-errors.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { refusal } from '../testing/build.ts';
import { APP, REDIRECT_URI } from '../testing/fake-app.ts';
import { type FakeService, fakeService } from '../testing/fake-service.ts';
import { gate, grantScene, KEY, oauthFor, protocolClock } from '../testing/grants.ts';
import { json, serve } from '../testing/serve.ts';
import { aesGcm } from './aes-gcm.ts';
import type { PendingAuthorization } from './authorization.ts';
import type { Callback } from './callback.ts';
import { OAuth } from './oauth.ts';
import { AuthorizationError, CallbackError, GrantStoreError, ReauthorizationRequired } from './oauth-errors.ts';
import type { OAuthOptions } from './oauth-options.ts';
import { memoryStore } from './stores/memory-store.ts';

/** Returns the callback query of an authorization that the owner granted. */
async function allowed(service: FakeService, oauth: OAuth): Promise<[URLSearchParams, PendingAuthorization]> {
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read', 'me:read'] });
  const code = service.code(new URL(pending.url).searchParams.get('code_challenge') ?? '');
  return [new URLSearchParams({ code, state: pending.state, iss: service.url }), pending];
}

test('the authorization URL has the parameters of the specification, PKCE and a random state', async () => {
  const oauth = oauthFor('http://127.0.0.1:4010/base/');
  const pending = await oauth.authorizationUrl({ scopes: ['clients:read', 'me:read'] });
  const { origin, pathname, searchParams } = new URL(pending.url);
  expect(origin + pathname).toBe('http://127.0.0.1:4010/base/oauth/authorize');
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: APP.clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'clients:read me:read',
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  expect(pending.codeVerifier).toMatch(/^[\w-]{43}$/);
  const other = await oauth.authorizationUrl({ scopes: ['me:read'] });
  expect(new Set([pending.state, pending.codeVerifier, other.state, other.codeVerifier]).size).toBe(4);
  expect(JSON.parse(JSON.stringify(pending))).toEqual({ ...pending });
});

test('a custom state and redirect URI are used', async () => {
  const oauth = oauthFor('http://127.0.0.1:4010');
  const redirectUri = 'http://localhost:3000/cb';
  const pending = await oauth.authorizationUrl({ scopes: ['me:read'], state: 'x'.repeat(16), redirectUri });
  const query = new URL(pending.url).searchParams;
  expect([query.get('state'), query.get('redirect_uri')]).toEqual(['x'.repeat(16), redirectUri]);
});

test.each([
  [{ scopes: [] }, 'scopes: must be'],
  [{ scopes: ['a b'] }, 'scopes: must be'],
  [{ scopes: 'me:read' }, 'scopes: must be'],
  [{ scopes: ['me:read'], state: 'guess me' }, 'state: must be'],
  [{ scopes: ['me:read'], redirectUri: '/callback' }, 'redirectUri: must be'],
])('the authorization request %j is refused', async (request, reason) => {
  const begin = oauthFor('http://127.0.0.1:4010').authorizationUrl(request as never);
  expect((await refusal(begin, InvalidArgumentError)).message).toContain(reason);
});

test.each<[string, (query: URLSearchParams) => Callback]>([
  ['the whole URL', (query) => `${REDIRECT_URI}&${query}`],
  ['the path of a request', (query) => `/callback?${query}`],
  ['a URL', (query) => new URL(`${REDIRECT_URI}&${query}`)],
  ['the query', (query) => query],
  ['an object', (query) => Object.fromEntries(query)],
])('a callback given as %s is exchanged, and the grant works', async (_, form) => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  const grant = await oauth.exchange(form(query), JSON.parse(JSON.stringify(pending)));
  expect(grant).toEqual({
    key: 'ten_1',
    status: 'connected',
    reason: null,
    tenantId: 'ten_1',
    userId: 'usr_1',
    scopes: ['clients:read', 'me:read'],
    connectedAt: expect.any(Date),
  });
  await oauth.actingFor('ten_1').me.get();
  expect(service.count('/oauth/token')).toBe(1);
  expect(await oauth.grant('ten_1')).toEqual(grant);
});

test('a grant is stored under a custom key if one is given', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  expect(await oauth.exchange(query, pending, { key: 'account-7' })).toMatchObject({
    key: 'account-7',
    tenantId: 'ten_1',
  });
  expect(await oauth.grant('ten_1')).toBeNull();
  await oauth.actingFor('account-7').me.get();
});

test.each<[string, Record<string, string | undefined>, string]>([
  ['another state', { state: 'x'.repeat(43) }, 'STATE_MISMATCH'],
  ['no state', { state: undefined }, 'STATE_MISMATCH'],
  ['a longer state', { state: '+x' }, 'STATE_MISMATCH'],
  ['another issuer', { iss: 'https://evil.test' }, 'ISSUER_MISMATCH'],
  ['no issuer', { iss: undefined }, 'ISSUER_MISMATCH'],
  ['no code', { code: undefined }, 'INVALID_CALLBACK'],
  ['a forged state and an error', { state: 'y', error: 'access_denied' }, 'STATE_MISMATCH'],
])('a callback with %s is refused, and nothing is sent', async (_, changes, code) => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value.startsWith('+') ? (query.get(name) ?? '') + value.slice(1) : value);
  }
  const error = await refusal(oauth.exchange(query, pending), CallbackError);
  expect(error.code).toBe(code);
  expect(service.received).toHaveLength(0);
});

test('a repeated parameter, a list of values and a session without an authorization are refused', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  const twice = new URLSearchParams(query);
  twice.append('code', 'other');
  const codeOf = async (callback: Callback, session: PendingAuthorization | null = pending) =>
    (await refusal(oauth.exchange(callback, session), CallbackError)).code;
  expect(await codeOf(twice)).toBe('INVALID_CALLBACK');
  expect(await codeOf({ ...Object.fromEntries(query), code: ['a', 'b'] })).toBe('INVALID_CALLBACK');
  expect(await codeOf({ ...Object.fromEntries(query), state: [pending.state, 'b'] })).toBe('INVALID_CALLBACK');
  expect(await codeOf({ ...Object.fromEntries(query), iss: null })).toBe('ISSUER_MISMATCH');
  expect(await codeOf('http://[')).toBe('INVALID_CALLBACK');
  expect(await codeOf(query, null)).toBe('STATE_MISMATCH');
  // A session can hold any JSON.
  expect(await codeOf(query, JSON.parse('{}'))).toBe('STATE_MISMATCH');
  expect(await codeOf(query, JSON.parse(JSON.stringify({ ...pending, codeVerifier: undefined })))).toBe(
    'STATE_MISMATCH',
  );
  const { code } = await refusal(oauth.reconnect(query, undefined, { key: undefined }), CallbackError);
  expect(code).toBe('STATE_MISMATCH');
});

test('an owner who refuses causes ACCESS_DENIED, any other error of the redirect AUTHORIZATION_FAILED', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  const refused = (error: string) => {
    const answer = { state: pending.state, iss: service.url, error, error_description: 'no\r\nplat_ac_SeCrEt' };
    return refusal(oauth.exchange(answer, pending), AuthorizationError);
  };
  expect(await refused('access_denied')).toMatchObject({ code: 'ACCESS_DENIED', error: 'access_denied' });
  const other = await refused('invalid_scope');
  expect(other).toMatchObject({ code: 'AUTHORIZATION_FAILED', error: 'invalid_scope' });
  expect(other.message).toBe('Not authorized: invalid_scope (no plat_ac_…)');
  expect(query.get('code')).not.toBeNull();
});

test('the issuer can differ from the base URL', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url, { issuer: 'https://platform.test' });
  const [query, pending] = await allowed(service, oauth);
  query.set('iss', 'https://platform.test');
  await oauth.exchange(query, pending);
});

test('a reloaded redirect URI returns the same grant, and its code is spent once', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  const [first, second] = await Promise.all([oauth.exchange(query, pending), oauth.exchange(query, pending)]);
  expect(second).toEqual(first);
  expect(await oauth.exchange(query, pending)).toEqual(first);
  expect(service.count('/oauth/token')).toBe(1);
});

test('a code is never sent twice: a lost response is an error', async () => {
  const service = await fakeService();
  const oauth = oauthFor(service.url);
  const [query, pending] = await allowed(service, oauth);
  service.faults.push('cut after');
  await refusal(oauth.exchange(query, pending), ConnectionError);
  expect(service.count('/oauth/token')).toBe(1);
  expect(await refusal(oauth.exchange(query, pending), ApiError)).toMatchObject({ code: 'INVALID_GRANT' });
});

test('tokens that cannot be stored are revoked', async () => {
  const service = await fakeService();
  const store = memoryStore();
  store.compareAndSet = () => Promise.reject(new Error('read-only'));
  const oauth = oauthFor(service.url, { store, clock: protocolClock() });
  const [query, pending] = await allowed(service, oauth);
  await refusal(oauth.exchange(query, pending), GrantStoreError);
  expect(service.revoked).toEqual(['plat_rt_SeCrEt2']);
});

test('a new consent replaces the grant, and other processes use the new one', async () => {
  const { service, oauth, another, record } = await grantScene(0);
  service.faults.push('invalid_grant');
  await refusal(oauth.actingFor(KEY).me.get(), ReauthorizationRequired);
  const [query, pending] = await allowed(service, oauth);
  await another().exchange(query, pending);
  await oauth.actingFor(KEY).me.get();
  expect(await record()).toMatchObject({ status: 'live', mark: null });
});

test('revoke ends the tokens at the service, leaves a tombstone, and can be repeated', async () => {
  const { oauth, service, pair, record } = await grantScene(3000);
  await oauth.actingFor(KEY).me.get();
  await oauth.revoke(KEY);
  await oauth.revoke(KEY);
  await oauth.revoke('ten_unknown');
  expect(service.revoked).toEqual([pair.refresh]);
  expect(await record()).toMatchObject({ status: 'ended', reason: 'revoked' });
  const error = await refusal(oauth.actingFor(KEY).me.get(), ReauthorizationRequired);
  expect(error.reason).toBe('revoked');
});

test('revoke during a refresh ends the grant, whichever finishes first', async () => {
  const { oauth, service, platform, record } = await grantScene(0);
  const waiting = gate();
  service.gates.after = () => waiting.opened;
  const call = platform.me.get().catch((error: unknown) => error);
  await expect.poll(() => service.refreshes()).toBe(1);
  await oauth.revoke(KEY);
  waiting.open();
  expect(await call).toMatchObject({ code: 'REAUTHORIZATION_REQUIRED', reason: 'revoked' });
  expect(await record()).toMatchObject({ status: 'ended', reason: 'revoked' });
});

test('a revoke that does not reach the service does not change the grant', async () => {
  const { another, record } = await grantScene(3000);
  const fetch = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  await refusal(another({ fetch }).revoke(KEY), ConnectionError);
  expect(await record()).toMatchObject({ status: 'live' });
});

const ACTIVE = { active: true, client_id: 'app_1', scope: 'me:read', sub: 'usr_1', tenant_id: 'ten_1' };

test('an active introspection is cached as configured, never beyond exp, and an inactive one not at all', async () => {
  const clock = protocolClock();
  const exp = clock.now() / 1000 + 90;
  let active = true;
  const server = await serve((response) => json(response, 200, active ? { ...ACTIVE, exp } : { active: false }));
  const oauth = oauthFor(server.url, { clock, introspectionCache: 60_000 });
  const ask = async (after: number) => {
    clock.sleep(after);
    return [(await oauth.introspect('plat_at_1')).active, server.received.length];
  };
  expect(await ask(0)).toEqual([true, 1]);
  expect(await ask(59_999)).toEqual([true, 1]);
  expect(await ask(1)).toEqual([true, 2]);
  active = false;
  expect(await ask(29_999)).toEqual([true, 2]);
  expect(await ask(1)).toEqual([false, 3]);
  expect(await ask(0)).toEqual([false, 4]);
  expect(server.received[0]?.body).toBe('token=plat_at_1&client_id=app_1&client_secret=plat_cs_SeCrEtClientSecret');
});

test('each request uses a new connection, so that none is sent into a closing one', async () => {
  const server = await serve((response) => json(response, 200, { active: false }));
  const oauth = oauthFor(server.url);
  await oauth.introspect('t');
  await oauth.introspect('t');
  expect(server.connections()).toBe(2);
});

test('without a cache each introspection sends a request', async () => {
  const server = await serve((response) => json(response, 200, { ...ACTIVE, exp: 4_000_000_000 }));
  const oauth = oauthFor(server.url);
  await oauth.introspect('t');
  await oauth.introspect('t');
  expect(server.received).toHaveLength(2);
});

test.each([[{}], [{ active: 'true' }], [{ active: true }], [{ ...ACTIVE, exp: '1' }], [{ ...ACTIVE, exp: 1.5 }]])(
  'the introspection response %j is refused',
  async (body) => {
    const server = await serve((response) => json(response, 200, body));
    const error = await refusal(oauthFor(server.url).introspect('t'), PlatformError);
    expect(error.code).toBe('INVALID_RESPONSE');
  },
);

test('introspection is repeated after a transient failure', async () => {
  const server = await serve((response, _, index) =>
    index === 0
      ? json(response, 503, { code: 'SERVICE_UNAVAILABLE', message: '' })
      : json(response, 200, { active: false }),
  );
  expect(await oauthFor(server.url, { clock: protocolClock() }).introspect('t')).toEqual({ active: false });
});

test('a new token that another node does not have yet is introspected again', async () => {
  const service = await fakeService();
  let unknown = 2;
  const fetch: OAuthOptions['fetch'] = (url, init) =>
    url.endsWith('/introspect') && unknown-- > 0
      ? Promise.resolve(new Response('{"active":false}', { headers: { 'content-type': 'application/json' } }))
      : globalThis.fetch(url, init);
  const oauth = oauthFor(service.url, { fetch, clock: protocolClock() });
  const [query, pending] = await allowed(service, oauth);
  expect(await oauth.exchange(query, pending)).toMatchObject({ tenantId: 'ten_1' });
});

test('with encryption the store never contains a token, and a value does not work under another key', async () => {
  const service = await fakeService();
  const store = memoryStore();
  const key = Buffer.alloc(32, 1).toString('base64');
  const oauth = oauthFor(service.url, { store, encryption: aesGcm(key) });
  const [query, pending] = await allowed(service, oauth);
  await oauth.exchange(query, pending);
  const stored = await store.get('ten_1');
  expect(stored?.value).not.toContain('SeCrEt');
  expect(stored?.value).toMatch(/^[A-Za-z0-9+/=]+$/);
  if (!stored) throw new Error('it was stored');
  await store.compareAndSet('ten_2', null, stored);
  const error = await refusal(oauth.grant('ten_2'), GrantStoreError);
  expect(error.message).toContain('none of the encryption keys decrypts it');

  const newer = Buffer.alloc(32, 2).toString('base64');
  const rotated = oauthFor(service.url, { store, encryption: aesGcm([newer, key]) });
  expect(await rotated.grant('ten_1')).toMatchObject({ status: 'connected' });
  const plain = oauthFor(service.url, { store: { ...store, id: 'without' } });
  expect((await refusal(plain.grant('ten_1'), GrantStoreError)).message).toContain('with `encryption`?');
  await store.compareAndSet('ten_3', null, { version: 1, value: '{"status":"live"}' });
  expect((await refusal(rotated.grant('ten_3'), GrantStoreError)).message).toContain('without `encryption`?');
  for (const none of ['short', undefined, [], [undefined]]) {
    expect(() => Reflect.apply(aesGcm, undefined, [none])).toThrow(InvalidArgumentError);
  }
  expect(() => aesGcm([])).toThrow(InvalidArgumentError);
});

test.each<[Partial<OAuthOptions>, string]>([
  [{ clientId: '' }, 'clientId: is required'],
  [{ clientSecret: 'plat_cs_SeCrEt\n' }, 'clientSecret: contains white space'],
  [{ redirectUri: 'callback' }, 'redirectUri: must be'],
  [{ store: {} as never }, 'store: is required'],
  [{ encryption: {} as never }, 'encryption: must be aesGcm(keys)'],
  [{ timeout: 0 }, 'timeout: must be'],
  [{ lockTimeout: -1 }, 'lockTimeout: must be'],
  [{ settle: Number.NaN }, 'settle: must be'],
  [{ introspectionCache: -1 }, 'introspectionCache: must be'],
  [{ baseUrl: 'x' }, 'baseUrl: must begin'],
  [{ fetch: (() => {}) as never, transport: {} as never }, 'transport: and fetch'],
])('the options %# are refused, and no secret is shown', (options, reason) => {
  const all = { ...APP, baseUrl: 'http://127.0.0.1:1', redirectUri: REDIRECT_URI, store: memoryStore(), ...options };
  expect(() => new OAuth(all)).toThrow(reason);
  expect(() => new OAuth(all)).not.toThrow(/SeCrEt/);
});

test.each(['', 'a b', 'é', 'x'.repeat(192), undefined])('the key %j is refused', async (key) => {
  const oauth = oauthFor('http://127.0.0.1:1');
  expect(() => oauth.actingFor(key as string)).toThrow(InvalidArgumentError);
  await refusal(oauth.revoke(key as string), InvalidArgumentError);
});

test('a client that acts for a tenant uses its own options and those of the app', async () => {
  const { another, service } = await grantScene(3000);
  const oauth = another({ platform: { userAgent: 'billing/2.1' } });
  onTestFinished(() => oauth.close());
  await oauth.actingFor(KEY, { headers: { 'x-job': '7' } }).me.get();
  expect(service.received.at(-1)?.headers).toMatchObject({
    'x-job': '7',
    'user-agent': expect.stringMatching(/^plat-sdk\/\S+ billing\/2\.1$/),
  });
});
