import { LIMITS, type Scope } from '@plat/contract';
import { Platform } from '@plat/sdk';
import { memoryStore, OAuth, ReauthorizationRequired } from '@plat/sdk/oauth';
import { createVerifier } from '@plat/webhooks';
import { afterEach, expect, test } from 'vitest';
import { createMockPlatform } from '../index.ts';

let now = Date.UTC(2026, 0, 1);
const mock = createMockPlatform({ clock: () => now });
const { baseUrl, fetch } = mock;
const app = mock.oauth.registerApp({ name: 'Ledger Sync' });
const SCOPES: readonly Scope[] = ['clients:read', 'users:write'];

afterEach(() => mock.reset());

const clock = {
  now: () => now,
  random: () => 0,
  uuid: () => crypto.randomUUID(),
  after: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const newApp = () => new OAuth({ ...app, baseUrl, fetch, store: memoryStore(), clock, settle: 1 });

/** Connects the tenant of the mock. */
async function connect(oauth = newApp()) {
  const pending = await oauth.authorizationUrl({ scopes: SCOPES });
  const { key } = await oauth.exchange(mock.oauth.authorize(pending.url), pending);
  return { oauth, key, pending, plat: oauth.actingFor(key, { maxRetries: 0 }) };
}

/** Posts a form to an OAuth endpoint in the name of an app. */
async function post(by: typeof app, path: string, form: Readonly<Record<string, string>>) {
  const secret = { client_id: by.clientId, client_secret: by.clientSecret };
  const body = new URLSearchParams({ ...form, ...secret });
  return (await fetch(`${baseUrl}/oauth/${path}`, { method: 'POST', body })).json();
}

const endpoints = () => mock.requests.map(({ operation, status }) => `${operation} ${status}`);

test('an app is connected, calls with its scopes, and refreshes an expired token', async () => {
  const { plat, key } = await connect();
  expect(key).toBe(mock.tenantId);
  expect(await plat.me.get()).toMatchObject({ credential_type: 'oauth_token', scopes: SCOPES });
  await expect(plat.groups.list()).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  const owner = { email: 'new@example.com', role: 'owner' };
  const refused = { code: 'OAUTH_CANNOT_MANAGE_OWNERS' };
  await expect(plat.users.create(owner)).rejects.toMatchObject(refused);
  const { id } = await plat.users.create({ ...owner, role: 'viewer' });
  await expect(plat.users.update(id, { role: 'owner' })).rejects.toMatchObject(refused);
  const support = new Platform({ apiKey: mock.apiKey, baseUrl, fetch });
  const [ofSandbox] = (await support.users.list({ role: 'owner' })).data;
  await expect(plat.users.deactivate(ofSandbox?.id ?? '')).rejects.toMatchObject(refused);
  now += LIMITS.accessTokenSeconds * 1000;
  const before = mock.requests.length;
  await plat.clients.list();
  expect(endpoints().slice(before)).toEqual(['oauth.token 200', 'clients.list 200']);
});

test('a refresh token is valid for 90 days after its last exchange, and the consent for a year', async () => {
  const day = 24 * 60 * 60 * 1000;
  const { plat } = await connect();
  for (let quarter = 0; quarter < 4; quarter++) {
    now += 89 * day;
    expect(await plat.me.get()).toMatchObject({ tenant_id: mock.tenantId });
  }
  now += 10 * day;
  await expect(plat.me.get()).rejects.toBeInstanceOf(ReauthorizationRequired);
  const idle = await connect();
  now += 90 * day;
  await expect(idle.plat.me.get()).rejects.toBeInstanceOf(ReauthorizationRequired);
});

test('a change of an app has the app as its actor, in the audit trail and in the request log', async () => {
  const { oauth, key } = await connect();
  const plat = oauth.actingFor(key);
  await plat.users.create({ email: 'new@example.com', role: 'viewer' });
  const support = new Platform({ apiKey: mock.apiKey, baseUrl, fetch });
  const [change] = (await support.audit.events.list()).data;
  expect(change?.actor).toEqual({ type: 'oauth_app', id: app.clientId });
  const [logged] = (await support.requests.list({ operation: 'users.create' })).data;
  expect(logged?.credential).toMatchObject({ type: 'oauth_token', app_id: app.clientId });
});

test('an app can use and end nothing of another app', async () => {
  const second = mock.oauth.registerApp({ name: 'Other' });
  const other = await connect(new OAuth({ ...second, baseUrl, fetch, store: memoryStore(), clock, settle: 1 }));
  const code = new URL(mock.oauth.authorize((await newApp().authorizationUrl({ scopes: SCOPES })).url));
  const { oauth, key, plat } = await connect();
  await plat.me.get();
  // Its consent did not replace the one of the other app.
  expect(await other.plat.me.get()).toMatchObject({ tenant_id: mock.tenantId });
  const { value: token } = await oauth.credential(key).get();
  const exchange = { grant_type: 'authorization_code', redirect_uri: app.redirectUri, code_verifier: 'v'.repeat(43) };
  const answer = await post(second, 'token', { ...exchange, code: code.searchParams.get('code') ?? '' });
  expect(answer).toMatchObject({ code: 'INVALID_GRANT' });
  expect(await post(second, 'introspect', { token })).toEqual({ active: false });
  expect(await post(second, 'revoke', { token })).toEqual({});
  expect(mock.oauth.revokeConsent(second)).toBe(true);
  expect(await plat.me.get()).toMatchObject({ tenant_id: mock.tenantId });
});

test('an app cannot use the refresh token of another app, and does not end its grant', async () => {
  const second = mock.oauth.registerApp({ name: 'Other' });
  const { url, codeVerifier } = await newApp().authorizationUrl({ scopes: SCOPES });
  const code = new URL(mock.oauth.authorize(url)).searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', redirect_uri: app.redirectUri, code_verifier: codeVerifier };
  const { refresh_token } = await post(app, 'token', { ...exchange, code });
  const refresh = { grant_type: 'refresh_token', refresh_token };
  expect(await post(second, 'token', refresh)).toMatchObject({ code: 'INVALID_GRANT' });
  expect(await post(app, 'token', refresh)).toMatchObject({ token_type: 'Bearer', scope: SCOPES.join(' ') });
});

test('a code is valid for ten minutes', async () => {
  const oauth = newApp();
  const pending = await oauth.authorizationUrl({ scopes: SCOPES });
  const address = mock.oauth.authorize(pending.url);
  now += LIMITS.authorizationCodeSeconds * 1000;
  await expect(oauth.exchange(address, pending)).rejects.toMatchObject({ code: 'INVALID_GRANT' });
});

test('the owner may deny access, and end it later', async () => {
  const oauth = newApp();
  const pending = await oauth.authorizationUrl({ scopes: SCOPES });
  const denied = oauth.exchange(mock.oauth.authorize(pending.url, 'deny'), pending);
  await expect(denied).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  expect(mock.oauth.revokeConsent(app)).toBe(false);
  const { plat } = await connect(oauth);
  expect(mock.oauth.revokeConsent(app)).toBe(true);
  await expect(plat.me.get()).rejects.toBeInstanceOf(ReauthorizationRequired);
  expect(mock.events.map(({ type }) => type)).toEqual(['oauth.app_authorized', 'oauth.app_revoked']);
});

test('events of OAuth are signed like all others', async () => {
  const { secret } = await createEndpoint();
  await connect();
  const [event] = mock.events;
  if (event?.type !== 'oauth.app_authorized') throw new Error('no event');
  const { rawBody, headers } = await mock.sign(event, { secret, timestamp: Math.floor(Date.now() / 1000) });
  expect(createVerifier({ secrets: secret }).verify(rawBody, headers)).toMatchObject({
    type: 'oauth.app_authorized',
    data: { app_name: 'Ledger Sync', scopes: SCOPES, revoked_at: null },
  });
});

async function createEndpoint() {
  const plat = new Platform({ apiKey: mock.apiKey, baseUrl, fetch });
  return plat.webhooks.endpoints.create({ url: 'https://app.example/hook', events: ['*'] });
}

test('a response of the token endpoint that is lost costs the consent, as a reused token does', async () => {
  const { plat } = await connect();
  now += LIMITS.accessTokenSeconds * 1000;
  mock.fail('oauth.token', 'CONNECTION_CUT', { when: 'after' });
  await expect(plat.me.get()).rejects.toMatchObject({ code: 'REFRESH_FAILED' });
  now += 60_000;
  await expect(plat.me.get()).rejects.toBeInstanceOf(ReauthorizationRequired);
  expect(mock.requests.filter(({ operation }) => operation === 'oauth.token')).toMatchObject([
    { status: 200, body: { grant_type: 'authorization_code' } },
    { status: null, body: { grant_type: 'refresh_token' } },
    { status: 400, code: 'INVALID_GRANT' },
  ]);
});

test('a request that is cut before it is processed costs nothing', async () => {
  const { plat } = await connect();
  now += LIMITS.accessTokenSeconds * 1000;
  mock.fail('oauth.token', 'CONNECTION_CUT');
  await expect(plat.me.get()).rejects.toMatchObject({ code: 'REFRESH_FAILED' });
  now += 60_000;
  expect(await plat.me.get()).toMatchObject({ tenant_id: mock.tenantId });
});

test('an injected failure of an OAuth endpoint has the fields of RFC 6749', async () => {
  mock.fail('oauth.introspect', 'SERVICE_UNAVAILABLE', { retryAfter: 3 });
  const response = await fetch(`${baseUrl}/oauth/introspect`, { method: 'POST', body: new URLSearchParams() });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await response.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', error: 'temporarily_unavailable' });
});

test('an app can introspect its tokens, and revoke them', async () => {
  const { oauth, key } = await connect();
  const { value } = await oauth.credential(key).get();
  const active = { active: true, client_id: app.clientId, scope: SCOPES.join(' '), tenant_id: mock.tenantId };
  expect(await oauth.introspect(value)).toMatchObject(active);
  expect(await oauth.introspect('plat_at_unknown')).toEqual({ active: false });
  await oauth.revoke(key);
  expect(await oauth.introspect(value)).toEqual({ active: false });
});

test('an authorization that the platform would show on its own page is an error of the test', () => {
  const url = `${baseUrl}/oauth/authorize?client_id=${app.clientId}`;
  expect(() => mock.oauth.authorize('https://other.example/oauth/authorize?x=1')).toThrow(
    'the address must begin with https://platform.example/oauth/authorize?',
  );
  expect(() => mock.oauth.authorize(`${baseUrl}/oauth/authorize?client_id=app_1`)).toThrow('client_id must be the id');
  expect(() => mock.oauth.authorize(`${url}&redirect_uri=https://evil.example`)).toThrow('redirect_uri is not one');
});

test('an authorization without a session is UNAUTHORIZED', async () => {
  const response = await fetch(`${baseUrl}/oauth/authorize?client_id=${app.clientId}`);
  expect([response.status, (await response.json()).code]).toEqual([401, 'UNAUTHORIZED']);
});

test('an authorization whose state has control characters is returned with an error', async () => {
  const { url } = await newApp().authorizationUrl({ scopes: SCOPES });
  const changed = new URL(url);
  changed.searchParams.set('state', 'a\nb');
  const { searchParams } = new URL(mock.oauth.authorize(changed));
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['invalid_request', 'a\nb']);
});

test('a misspelt scope is returned with the near one', async () => {
  const { url } = await newApp().authorizationUrl({ scopes: SCOPES });
  const misspelt = url.replace(/scope=[^&]*/, 'scope=clients:raed');
  const { searchParams } = new URL(mock.oauth.authorize(misspelt));
  expect(searchParams.get('error_description')).toMatch(/Did you mean clients:read\?$/);
});

test('an authorization whose state is not UTF-8 is returned with an error', async () => {
  const { url } = await newApp().authorizationUrl({ scopes: SCOPES });
  const { searchParams } = new URL(mock.oauth.authorize(url.replace(/state=[^&]*/, 'state=%FF')));
  expect(searchParams.get('error_description')).toBe('The request is not valid: state must be percent-encoded UTF-8');
});

test('the key set that the metadata names is empty: the mock has no launch tokens', async () => {
  const { jwks_uri } = await (await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)).json();
  const response = await fetch(jwks_uri);
  expect([response.status, await response.json()]).toEqual([200, { keys: [] }]);
});
