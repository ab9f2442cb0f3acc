import { DEVELOPER_OPERATIONS, HEADERS, LIMITS, type OperationInfo } from '@plat/contract';
import { selectOne } from '@plat/server/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { postForm } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';

let now = Date.parse('2026-03-01T00:00:00.000Z');
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let developer: SignedInDeveloper;
let api: Api;

beforeEach(async () => {
  now += 1000;
  developer = await signedInDeveloper(story.server);
  ({ api } = await login(story.server, developer));
});

const v1 = (key = developer.apiKey): Api => apiOf(story.server.baseUrl, key);
const APP = { name: 'Ledger Sync', redirect_uris: ['https://ledger.example/callback'], scopes: ['clients:read'] };

/** Returns the one audit event of the sandbox for an action. */
async function audited(action: string, key = developer.apiKey) {
  const { data } = (await v1(key)(`/v1/audit/events?action=${action}`)).body;
  expect(data).toHaveLength(1);
  return data[0];
}

test.each(Object.entries<OperationInfo>(DEVELOPER_OPERATIONS))(
  '%s needs a token and returns the rate limit headers',
  async (_, { method, path }) => {
    const url = path.replace(/\{\w+\}/g, 'app_1');
    const call = { method, ...(method === 'POST' || method === 'PATCH' ? { body: '[' } : {}) };
    const missing = await apiOf(story.server.baseUrl)(url, call);
    expectRefusal(missing, 'INVALID_TOKEN');
    expect(missing.body.message).toBe('Send the header Authorization: Bearer <developer token>');
    const wrong = await v1()(url, call);
    expectRefusal(wrong, 'INVALID_TOKEN');
    expect(wrong.body.message).toBe('The credential is not a valid developer token');
    // The call finds the operation by method and path. The tests below cover its effect.
    const { headers, body } = await api(url, call);
    expect(body.code).not.toBe('NOT_FOUND');
    expect(headers.has(HEADERS.rateRemaining)).toBe(true);
  },
);

test('an unknown path is refused with a token, and without one the missing token is refused', async () => {
  expectRefusal(await api('/developer/v1/nothing'), 'NOT_FOUND');
  expectRefusal(await apiOf(story.server.baseUrl)('/developer/v1/nothing'), 'INVALID_TOKEN');
  expectRefusal(await api('/developer/v1/me?verbose=1'), 'INVALID_REQUEST', ['verbose']);
});

test('the sandbox names its base URL and tenant', async () => {
  expect((await api('/developer/v1/sandbox')).body).toMatchObject({
    object: 'sandbox',
    tenant_id: developer.tenantId,
    name: 'Sandbox',
    status: 'active',
    base_url: story.server.baseUrl,
    console_url: `${story.server.baseUrl}/console`,
  });
});

test('a reset restores the seeded content of the sandbox and keeps key, apps and login', async () => {
  const { data: seeded } = (await v1()('/v1/clients')).body;
  await v1()('/v1/clients', { body: { name: 'Acme' } });
  await v1()('/v1/tenant', { method: 'PATCH', body: { name: 'Mine' } });
  const { id } = (await api('/developer/v1/apps', { body: APP })).body;

  const reset = await api('/developer/v1/sandbox/reset', { body: {} });
  expect(reset).toMatchObject({ status: 200, body: { tenant_id: developer.tenantId, name: 'Sandbox' } });
  expect((await v1()('/v1/clients')).body.data).toEqual(seeded);
  expect((await api(`/developer/v1/apps/${id}`)).status).toBe(200);
  expect(await audited('sandbox.reset')).toMatchObject({
    actor: { type: 'developer', id: developer.id },
    request_id: reset.headers.get(HEADERS.requestId),
    ip: expect.stringMatching(/127\.0\.0\.1$/),
  });
});

test('the key is shown as a hint, and in full only by the response that mints it', async () => {
  const { body: known } = await api('/developer/v1/keys');
  expect(known).toMatchObject({
    object: 'api_key',
    tenant_id: developer.tenantId,
    hint: `plat_test_...${developer.apiKey.slice(-4)}`,
  });
  const minted = await api('/developer/v1/keys', { body: { scopes: ['clients:read', 'audit:read', 'clients:read'] } });
  expect(minted).toMatchObject({
    status: 201,
    body: { api_key: expect.stringMatching(/^plat_test_/), scopes: ['clients:read', 'audit:read'] },
  });
  const { api_key: key, ...shown } = minted.body;
  expect((await api('/developer/v1/keys')).body).toEqual(shown);

  // The previous key is replaced at once.
  expectRefusal(await v1()('/v1/me'), 'INVALID_TOKEN');
  expect((await v1(key)('/v1/clients')).status).toBe(200);
  expectRefusal(await v1(key)('/v1/users'), 'INSUFFICIENT_SCOPE');
  expect(await audited('api_key.minted', key)).toMatchObject({
    actor: { type: 'developer', id: developer.id },
    target: { type: 'api_key', id: minted.body.id },
  });
});

test('a key without named scopes has all of them', async () => {
  const { body } = await api('/developer/v1/keys', { body: {} });
  expect((await v1(body.api_key)('/v1/me')).body.scopes).toEqual(body.scopes);
  expect(body.scopes).toContain('webhooks:write');
  expectRefusal(await api('/developer/v1/keys', { body: { scopes: [] } }), 'INVALID_BODY', ['scopes']);
  expectRefusal(await api('/developer/v1/keys', { body: { scopes: ['root'] } }), 'INVALID_BODY', ['scopes.0']);
});

test('a mint that is sent again under its idempotency key returns the same key', async () => {
  const call = { body: {}, headers: { 'idempotency-key': 'mint-1' } };
  const [first, again] = [await api('/developer/v1/keys', call), await api('/developer/v1/keys', call)];
  expect(again.headers.get(HEADERS.idempotentReplayed)).toBe('true');
  expect(again.body).toEqual(first.body);
  expect((await v1(first.body.api_key)('/v1/me')).status).toBe(200);
});

describe('a replaced key with an overlap', () => {
  const mint = (expires_in: number) => api('/developer/v1/keys', { body: { expires_in } });

  test('works until it expires, beside the new key, and is shown with its expiry', async () => {
    const { body } = await mint(3600);
    const expiresAt = new Date(now + 3_600_000).toISOString();
    const previous = { object: 'previous_api_key', hint: `plat_test_...${developer.apiKey.slice(-4)}` };
    expect(body.previous_key).toMatchObject({ ...previous, expires_at: expiresAt });
    expect((await v1()('/v1/me')).status).toBe(200);
    expect((await v1(body.api_key)('/v1/me')).status).toBe(200);
    const used = { last_used_at: new Date(now).toISOString() };
    await expect
      .poll(async () => (await api('/developer/v1/keys')).body)
      .toMatchObject({ ...used, previous_key: used });
    expect(await audited('api_key.minted', body.api_key)).toMatchObject({
      session_id: expect.stringMatching(/^dvt_/),
      changes: { previous_key_expires_at: { after: expiresAt } },
    });

    now += 3_600_000;
    expectRefusal(await v1()('/v1/me'), 'INVALID_TOKEN');
    expect((await api('/developer/v1/keys')).body.previous_key).toBe(null);
    now += 1;
    await story.server.housekeeping();
    expect(await previousKeys()).toBe(0);
  });

  test('is refused at once by the next replacement, which keeps one key at most', async () => {
    const second = await mint(3600);
    const third = await mint(60);
    expectRefusal(await v1()('/v1/me'), 'INVALID_TOKEN');
    expect((await v1(second.body.api_key)('/v1/me')).status).toBe(200);
    const fourth = await mint(0);
    expect(fourth.body.previous_key).toBe(null);
    for (const { body } of [second, third]) expectRefusal(await v1(body.api_key)('/v1/me'), 'INVALID_TOKEN');
  });

  test('is revoked together with the key that replaced it', async () => {
    const { body } = await mint(3600);
    await api('/developer/v1/keys', { method: 'DELETE' });
    for (const key of [developer.apiKey, body.api_key]) expectRefusal(await v1(key)('/v1/me'), 'INVALID_TOKEN');
  });

  test('is revoked by its own operation before it expires; the current key stays, and a repetition changes nothing', async () => {
    const { body } = await mint(3600);
    const revoked = await api('/developer/v1/keys/previous', { method: 'DELETE' });
    const { api_key: key, ...shown } = body;
    expect(revoked).toMatchObject({ status: 200, body: { ...shown, previous_key: null } });
    expectRefusal(await v1()('/v1/me'), 'INVALID_TOKEN');
    expect((await v1(key)('/v1/me')).status).toBe(200);
    expect(await previousKeys()).toBe(0);
    const entry = { actor: { type: 'developer' }, target: { type: 'api_key', id: body.previous_key.id } };
    expect(await audited('api_key.revoked', key)).toMatchObject(entry);

    expect((await api('/developer/v1/keys/previous', { method: 'DELETE' })).body).toEqual(revoked.body);
    const { body: trail } = await v1(key)('/v1/audit/events?action=api_key.revoked');
    expect(trail.data).toHaveLength(1);
    await api('/developer/v1/keys', { method: 'DELETE' });
    expectRefusal(await api('/developer/v1/keys/previous', { method: 'DELETE' }), 'API_KEY_NOT_FOUND');
  });

  test('survives a reset of the sandbox', async () => {
    await mint(3600);
    await api('/developer/v1/sandbox/reset', { method: 'POST' });
    expect((await v1()('/v1/me')).status).toBe(200);
  });

  test('is kept for seven days at most', async () => {
    for (const seconds of [-1, 0.5, 604_801]) {
      expectRefusal(await mint(seconds), 'INVALID_BODY', ['expires_in']);
    }
    expect((await v1()('/v1/me')).status).toBe(200);
  });

  async function previousKeys(): Promise<number> {
    const sql = 'SELECT COUNT(*) AS n FROM previous_api_keys WHERE tenant_id = :tenantId';
    const row = await selectOne<{ n: number }>(story.server.db, sql, { tenantId: developer.tenantId });
    return Number(row?.n);
  }
});

test('a revoked key is refused, and the sandbox then has no key', async () => {
  const { id } = (await api('/developer/v1/keys')).body;
  expect((await api('/developer/v1/keys', { method: 'DELETE' })).body).toEqual({
    object: 'api_key',
    id,
    deleted: true,
  });
  expectRefusal(await v1()('/v1/me'), 'INVALID_TOKEN');
  expectRefusal(await api('/developer/v1/keys'), 'API_KEY_NOT_FOUND');
  expectRefusal(await api('/developer/v1/keys', { method: 'DELETE' }), 'API_KEY_NOT_FOUND');
});

test('an app is registered, changed and submitted for review; its secret is shown when it is created', async () => {
  const registered = await api('/developer/v1/apps', { body: { ...APP, website: 'https://ledger.example' } });
  expect(registered).toMatchObject({
    status: 201,
    body: { ...APP, object: 'app', verification: 'unverified', client_secret: expect.stringMatching(/^plat_cs_/) },
  });
  const { client_secret, ...app } = registered.body;
  const path = `/developer/v1/apps/${app.id}`;
  expect((await api(path)).body).toEqual(app);
  expect((await api('/developer/v1/apps')).body).toMatchObject({ object: 'list', data: [app], has_more: false });

  now += 1000;
  const changed = await api(path, { method: 'PATCH', body: { scopes: ['clients:read', 'users:read'] } });
  expect(changed.body.scopes).toEqual(['clients:read', 'users:read']);
  const rotated = await api(`${path}/rotate_secret`, { body: { expires_in: 3600 } });
  expect(rotated.body.client_secret).not.toBe(client_secret);
  expect(rotated.body.previous_secret_expires_at).toBe(new Date(now + 3_600_000).toISOString());
  expect((await api(`${path}/request_verification`, { body: {} })).body.verification).toBe('pending');
  expect(await audited('app.verification_requested')).toMatchObject({
    actor: { type: 'developer', id: developer.id },
    target: { type: 'app', id: app.id },
  });
});

test('the previous secret of an app is revoked before it expires; the current secret stays, and a repetition changes nothing', async () => {
  const { id, client_secret: first } = (await api('/developer/v1/apps', { body: APP })).body;
  const path = `/developer/v1/apps/${id}`;
  const { client_secret: second } = (await api(`${path}/rotate_secret`, { body: { expires_in: 3600 } })).body;
  const status = async (client_secret: string) => {
    const form = { client_id: id, client_secret, token: 'plat_at_x' };
    return (await postForm(`${story.server.baseUrl}/oauth/introspect`, form)).status;
  };
  expect([await status(first), await status(second)]).toEqual([200, 200]);

  now += 1000;
  const revoked = await api(`${path}/previous_secret`, { method: 'DELETE' });
  expect(revoked).toMatchObject({ status: 200, body: { id, previous_secret_expires_at: null } });
  expect([await status(first), await status(second)]).toEqual([401, 200]);
  expect((await api(path)).body).toEqual(revoked.body);
  const target = { type: 'app', id };
  expect(await audited('app.previous_secret_revoked')).toMatchObject({ actor: { id: developer.id }, target });

  now += 1000;
  expect((await api(`${path}/previous_secret`, { method: 'DELETE' })).body).toEqual(revoked.body);
});

test('the rules for an app are those of the console', async () => {
  expectRefusal(
    await api('/developer/v1/apps', { body: { ...APP, redirect_uris: ['http://evil.example/*'] } }),
    'INVALID_BODY',
    ['redirect_uris.0'],
  );
  expectRefusal(await api('/developer/v1/apps', { body: { name: 'x' } }), 'INVALID_BODY', ['redirect_uris', 'scopes']);
  expectRefusal(await api('/developer/v1/apps/döner'), 'APP_NOT_FOUND');
});

test('the reviewed fields of an app cannot be changed from the request of the review on', async () => {
  const { id } = (await api('/developer/v1/apps', { body: APP })).body;
  const path = `/developer/v1/apps/${id}`;
  await api(`${path}/request_verification`, { method: 'POST' });
  // Otherwise the platform would verify a name that it did not see.
  expectRefusal(await api(path, { method: 'PATCH', body: { name: 'Your Bank' } }), 'APP_NAME_PROTECTED');
  expectRefusal(await api(path, { method: 'PATCH', body: { website: 'https://bank.example' } }), 'APP_NAME_PROTECTED');
  expect((await api(path, { method: 'PATCH', body: { name: APP.name } })).status).toBe(200);
  expect((await operate(story.database.url, 'apps', 'verify', id)).code).toBe(0);
  expectRefusal(await api(path, { method: 'PATCH', body: { name: 'Your Bank' } }), 'APP_NAME_PROTECTED');
  expect((await api(path, { method: 'PATCH', body: { scopes: ['clients:read', 'me:read'] } })).status).toBe(200);
});

test('an account has at most its limit of apps', async () => {
  for (let i = 0; i < LIMITS.quotas.apps.sandbox; i++) {
    expect((await api('/developer/v1/apps', { body: { ...APP, name: `App ${i}` } })).status).toBe(201);
  }
  expectRefusal(await api('/developer/v1/apps', { body: APP }), 'APP_LIMIT');
});

test('objects of another developer are not found', async () => {
  const { id } = (await api('/developer/v1/apps', { body: APP })).body;
  const stranger = await login(story.server, await signedInDeveloper(story.server));
  const path = `/developer/v1/apps/${id}`;
  expectRefusal(await stranger.api(path), 'APP_NOT_FOUND');
  expectRefusal(await stranger.api(path, { method: 'PATCH', body: { name: 'Mine' } }), 'APP_NOT_FOUND');
  expectRefusal(await stranger.api(`${path}/rotate_secret`, { body: {} }), 'APP_NOT_FOUND');
  expectRefusal(await stranger.api(`${path}/request_verification`, { body: {} }), 'APP_NOT_FOUND');
  expectRefusal(await stranger.api(`${path}/previous_secret`, { method: 'DELETE' }), 'APP_NOT_FOUND');
  expect((await stranger.api('/developer/v1/apps')).body.data).toEqual([]);
  expect((await stranger.api('/developer/v1/keys')).body.tenant_id).not.toBe(developer.tenantId);
});

test('a consent of the sandbox is listed and ended, and its tokens with it', async () => {
  const app = await story.server.createApp();
  const { grantId, tokens } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
  const withToken = v1(tokens.access_token);
  expect((await withToken('/v1/me')).status).toBe(200);
  // An access token is not a developer login.
  expectRefusal(await withToken('/developer/v1/me'), 'INVALID_TOKEN');
  expect((await api('/developer/v1/consents')).body.data).toMatchObject([{ object: 'consent', id: grantId }]);

  const stranger = await login(story.server, await signedInDeveloper(story.server));
  const path = `/developer/v1/consents/${grantId}`;
  expectRefusal(await stranger.api(path, { method: 'DELETE' }), 'CONSENT_NOT_FOUND');
  expect((await api(path, { method: 'DELETE' })).body).toEqual({ object: 'consent', id: grantId, deleted: true });
  expectRefusal(await withToken('/v1/me'), 'INVALID_TOKEN');
  expectRefusal(await api(path, { method: 'DELETE' }), 'CONSENT_NOT_FOUND');
  expect((await v1()('/v1/webhooks/events?type=oauth.app_revoked')).body.data).toHaveLength(1);
});

test('an unknown consent is not found', async () => {
  expect((await api('/developer/v1/consents')).body.data).toEqual([]);
  for (const id of ['gra_01k0z8k3v7e5q2m9t4r6w1x8c0', 'döner']) {
    expectRefusal(await api(`/developer/v1/consents/${id}`, { method: 'DELETE' }), 'CONSENT_NOT_FOUND');
  }
});

test('housekeeping removes expired logins and tokens', async () => {
  const count = async (table: string) =>
    (await selectOne<{ n: number }>(story.server.db, `SELECT COUNT(*) AS n FROM ${table}`))?.n;
  expect(await count('device_logins')).toBeGreaterThan(0);
  now += 2 * 86_400_000;
  await story.server.housekeeping();
  expect(await count('device_logins')).toBe(0);
  expect((await api('/developer/v1/me')).status).toBe(200);
  now += 91 * 86_400_000;
  await story.server.housekeeping();
  expect(await count('developer_tokens')).toBe(0);
});
