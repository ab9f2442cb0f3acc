import { HEADERS, LIMITS } from '@plat/contract';
import { createTestServer, execute, select, type TestApp } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import {
  authorizeUrl,
  codeForm,
  expectOAuthRefusal,
  type FormFields,
  postForm,
  refreshForm,
  secretOf,
  visit,
} from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* Apps that are disabled, enabled and deleted, by each way to do it, and the request limits of an app. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const post = (path: string, form: FormFields) => postForm(story.server.baseUrl + path, form);
const token = (form: FormFields) => post('/oauth/token', form);
const me = (accessToken: string) => apiOf(story.server.baseUrl, accessToken)('/v1/me');

interface World {
  readonly developer: SignedInDeveloper;
  readonly api: Api;
  readonly app: TestApp;
}

async function newWorld(): Promise<World> {
  const developer = await signedInDeveloper(story.server);
  const { api } = await login(story.server, developer);
  const app = await story.server.createApp({ developerId: developer.id, verified: true });
  return { developer, api, app };
}

const audited = async ({ developer, app }: World) => {
  const { body } = await apiOf(story.server.baseUrl, developer.apiKey)(`/v1/audit/events?target_id=${app.appId}`);
  return body.data.map(({ action }: { action: string }) => action);
};

/** Ways to disable, enable and delete an app. */
const WAYS: Readonly<Record<string, (world: World, verb: 'disable' | 'enable' | 'delete') => Promise<unknown>>> = {
  'the developer API': ({ api, app }, verb) =>
    verb === 'delete'
      ? api(`/developer/v1/apps/${app.appId}`, { method: 'DELETE' })
      : api(`/developer/v1/apps/${app.appId}/${verb}`, { method: 'POST' }),
  'the console': async ({ developer, app }, verb) => {
    const browser = visitor(story.server.baseUrl, developer.session.cookie);
    const { csrfToken: _csrf } = developer.session;
    const { status, text } = await browser.get(`/console/apps/${app.appId}${verb === 'enable' ? '' : `/${verb}`}`);
    expect([status, text]).toEqual([200, expect.stringContaining(`/${verb}"`)]);
    const answer = await browser.post(`/console/apps/${app.appId}/${verb}`, { _csrf });
    expect(answer.status).toBe(303);
    expect((await browser.follow(answer)).text).toMatch(/App (disabled|enabled|deleted)\./);
  },
  'the operator': async ({ app }, verb) => {
    const { code, stderr } = await operate(
      story.database.url,
      'apps',
      verb,
      app.appId,
      ...(verb === 'delete' ? ['--yes'] : []),
    );
    expect([code, stderr]).toEqual([0, '']);
  },
};

describe.each(Object.entries(WAYS))('through %s', (_, change) => {
  test('a disabled app is refused for every tenant; after it is enabled, it needs new consents', async () => {
    const world = await newWorld();
    const { app } = world;
    const tenants = [await story.server.createTenant(), await story.server.createTenant({ sandbox: false })];
    const granted = await Promise.all(tenants.map(({ tenantId }) => story.server.grantTokens({ app, tenantId })));
    const waiting = await story.server.grant({ app, tenantId: world.developer.tenantId });
    const ended = await story.server.grantTokens({ app, tenantId: world.developer.tenantId });
    await post('/oauth/revoke', { token: ended.tokens.access_token, ...secretOf(app) });
    const other = await story.server.createApp({ developerId: world.developer.id });
    const untouched = await story.server.grantTokens({ app: other, tenantId: world.developer.tenantId });
    const owner = await story.server.signInAdmin(tenants[0]?.ownerId ?? '');
    const url = authorizeUrl(story.server, { client_id: app.appId, redirect_uri: app.redirectUri });

    await change(world, 'disable');
    for (const { tokens } of granted) {
      expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
      expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'APP_DISABLED', 'unauthorized_client');
      for (const path of ['/oauth/introspect', '/oauth/revoke']) {
        const answer = await post(path, { token: tokens.access_token, ...secretOf(app) });
        expectOAuthRefusal(answer, 'APP_DISABLED', 'unauthorized_client');
      }
    }
    expectOAuthRefusal(await token(codeForm(app, waiting)), 'APP_DISABLED', 'unauthorized_client');
    const page = await visit(url, { cookie: owner.cookie });
    expect([page.status, page.location, page.text]).toEqual([403, null, expect.stringContaining('disabled')]);
    const { tenantId } = world.developer;
    await expect(story.server.grant({ app, tenantId })).rejects.toMatchObject({ code: 'APP_DISABLED' });
    expect((await me(untouched.tokens.access_token)).status).toBe(200);
    const sql = 'SELECT revoked_reason FROM oauth_grants WHERE id = :grantId';
    expect(await select(story.server.db, sql, { grantId: ended.grantId })).toEqual([{ revoked_reason: 'app' }]);
    // A process of the version before can leave a grant active that it gives at the moment of the disabling.
    const setStatus = (grantId: string, status: string) =>
      execute(story.server.db, 'UPDATE oauth_grants SET status = :status WHERE id = :grantId', { grantId, status });
    for (const { grantId, tokens } of granted) {
      await setStatus(grantId, 'active');
      expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
      await setStatus(grantId, 'revoked');
    }

    await change(world, 'enable');
    for (const { tokens } of granted) {
      expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
      expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    }
    expectOAuthRefusal(await token(codeForm(app, waiting)), 'INVALID_GRANT', 'invalid_grant');
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    expect((await me(tokens.access_token)).status).toBe(200);
    expect(await audited(world)).toEqual(expect.arrayContaining(['app.disabled', 'app.enabled']));
    const tenant = apiOf(story.server.baseUrl, tenants[0]?.apiKey);
    const { body } = await tenant(`/v1/audit/events?target_id=${granted[0]?.grantId}`);
    expect(body.data[0]).toMatchObject({
      action: 'oauth.tokens_revoked',
      changes: { revoked_reason: { after: 'app_disabled' } },
    });
  });

  test('a deleted app is unknown, its tokens are refused, and it no longer counts', async () => {
    const world = await newWorld();
    const { app, api, developer } = world;
    const { tokens, grantId } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
    await change(world, 'delete');
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    const refreshed = await token(refreshForm(app, tokens.refresh_token));
    expectOAuthRefusal(refreshed, 'INVALID_CLIENT_SECRET', 'invalid_client');
    expectRefusal(await api(`/developer/v1/apps/${app.appId}`), 'APP_NOT_FOUND');
    expect((await api('/developer/v1/apps')).body.data).toEqual([]);
    expect((await api('/developer/v1/consents')).body.data).toEqual([]);
    expect(await audited(world)).toContain('app.deleted');
    const sql = 'SELECT status, revoked_reason FROM oauth_grants WHERE id = :grantId';
    expect(await select(story.server.db, sql, { grantId })).toEqual([
      { status: 'revoked', revoked_reason: 'app_deleted' },
    ]);
  });
});

test('an app that the operator disabled cannot be enabled by its developer', async () => {
  const world = await newWorld();
  await WAYS['the operator']?.(world, 'disable');
  const path = `/developer/v1/apps/${world.app.appId}`;
  expectRefusal(await world.api(`${path}/enable`, { method: 'POST' }), 'APP_DISABLED');
  expect((await world.api(`${path}/disable`, { method: 'POST' })).body.disabled_by).toBe('operator');
  expectRefusal(await world.api(`${path}/enable`, { method: 'POST' }), 'APP_DISABLED');
  const browser = visitor(story.server.baseUrl, world.developer.session.cookie);
  const { csrfToken: _csrf } = world.developer.session;
  expect((await browser.post(`/console/apps/${world.app.appId}/enable`, { _csrf })).status).toBe(403);
  await WAYS['the operator']?.(world, 'enable');
  expect((await world.api(path)).body.disabled_by).toBeNull();
});

test('the limit counts existing apps: after a deletion, one more can be created', async () => {
  const { api } = await newWorld();
  const body = { name: 'One of many', redirect_uris: ['https://app.example/cb'], scopes: ['me:read'] };
  const ids: string[] = [];
  for (let i = 1; i < LIMITS.quotas.apps.sandbox; i++) ids.push((await api('/developer/v1/apps', { body })).body.id);
  expectRefusal(await api('/developer/v1/apps', { body }), 'APP_LIMIT');
  const removed = await api(`/developer/v1/apps/${ids[0]}`, { method: 'DELETE' });
  expect(removed.body).toEqual({ object: 'app', id: ids[0], deleted: true });
  expect((await api('/developer/v1/apps', { body })).status).toBe(201);
  expectRefusal(await api('/developer/v1/apps', { body }), 'APP_LIMIT');
});

test('another developer’s app is not found', async () => {
  const { app } = await newWorld();
  const { api } = await newWorld();
  for (const [method, path] of [
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['DELETE', ''],
  ] as const) {
    expectRefusal(await api(`/developer/v1/apps/${app.appId}${path}`, { method }), 'APP_NOT_FOUND');
  }
});

test('an app with its secret is limited at each endpoint, and a refusal consumes nothing', async () => {
  const server = await createTestServer({ env: { PLAT_APP_RATE_LIMIT: '3', PLAT_DISPATCH: 'false' } });
  try {
    const { tenantId } = await server.createTenant();
    const [app, other] = [await server.createApp(), await server.createApp()];
    const { tokens } = await server.grantTokens({ app, tenantId });
    const call = (path: string, form: FormFields) => postForm(server.baseUrl + path, form);
    let { refresh_token } = tokens;
    for (let i = 0; i < 2; i++) {
      const { status, body } = await call('/oauth/token', refreshForm(app, refresh_token));
      expect(status).toBe(200);
      ({ refresh_token } = body);
    }
    const limited = await call('/oauth/token', refreshForm(app, refresh_token));
    expectOAuthRefusal(limited, 'RATE_LIMITED', 'temporarily_unavailable');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get(HEADERS.rateLimit)).toBe('3');
    expect(limited.headers.get(HEADERS.rateRemaining)).toBe('0');
    expect(Number(limited.headers.get(HEADERS.rateReset)) * 1000).toBeGreaterThan(Date.now());
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const ask = () => call(path, { token: 'plat_at_unknown', ...secretOf(app) });
      for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(200);
      expectOAuthRefusal(await ask(), 'RATE_LIMITED', 'temporarily_unavailable');
    }
    // Each app is counted separately, and a call without the secret is not counted.
    const strange = { ...refreshForm(app, refresh_token), client_secret: 'wrong' };
    expectOAuthRefusal(await call('/oauth/token', strange), 'INVALID_CLIENT_SECRET', 'invalid_client');
    expect((await server.grantTokens({ app: other, tenantId })).tokens).toHaveProperty('access_token');
  } finally {
    await server.close();
  }
});
