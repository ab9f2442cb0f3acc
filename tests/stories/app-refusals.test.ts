import { randomBytes } from 'node:crypto';
import type { AppRefusal } from '@plat/contract';
import { createTestServer, newPkce, select, type TestApp } from '@plat/server/testing';
import { beforeEach, expect, test } from 'vitest';
import { type Api, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { authorizeUrl, codeForm, type FormFields, postForm, refreshForm, secretOf, visit } from '../support/oauth.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* The refused requests of an app to the endpoints that apps call, as its developer sees them. In production too. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let developer: SignedInDeveloper;
let api: Api;
let app: TestApp;

beforeEach(async () => {
  developer = await signedInDeveloper(story.server);
  ({ api } = await login(story.server, developer));
  app = await story.server.createApp({ developerId: developer.id, verified: true });
});

const post = (path: string, form: FormFields, headers?: Record<string, string>) =>
  postForm(story.server.baseUrl + path, form, headers);

async function list(query = ''): Promise<AppRefusal[]> {
  const { status, body } = await api(`/developer/v1/apps/${app.appId}/refusals${query}`);
  expect(status).toBe(200);
  return body.data;
}

test('a refusal names endpoint, code, message, installation and caller, and holds no secret', async () => {
  const { tenantId } = await story.server.createTenant({ sandbox: false });
  const { tokens, grantId } = await story.server.grantTokens({ app, tenantId });
  const agent = { 'user-agent': 'ledger/2.1' };
  await post('/oauth/token', refreshForm(app, tokens.refresh_token));
  expect(await list()).toEqual([]);
  const refused = await post('/oauth/token', refreshForm(app, tokens.refresh_token), agent);
  const [entry] = await list();
  expect(entry).toEqual({
    object: 'app_refusal',
    id: refused.headers.get('x-request-id'),
    endpoint: 'token',
    status: 400,
    error: { code: 'INVALID_GRANT', message: refused.body.message, errors: null },
    installation_id: grantId,
    ip: expect.stringMatching(/127\.0\.0\.1$/),
    user_agent: 'ledger/2.1',
    duration_ms: expect.any(Number),
    created_at: expect.any(String),
  });
  const rows = await select(story.server.db, 'SELECT * FROM requests WHERE tenant_id = :id', { id: app.appId });
  expect(JSON.stringify([entry, rows])).not.toMatch(/plat_(rt|at|cs|ac)_/);
});

test('each endpoint and cause has an entry, the filters select, and other developers see nothing', async () => {
  const other = await story.server.createApp({ developerId: developer.id });
  const { tenantId } = await story.server.createTenant({ sandbox: false });
  const consent = await story.server.grant({ app, tenantId });
  const foreign = await story.server.grantTokens({ app: other, tenantId: developer.tenantId });
  await post('/oauth/token', { ...codeForm(app, consent), code_verifier: 'x'.repeat(43) });
  await post('/oauth/token', refreshForm(app, foreign.tokens.refresh_token));
  await post('/oauth/introspect', { token: 'plat_at_x', ...secretOf(app), client_secret: 'wrong' });
  await api(`/developer/v1/apps/${app.appId}/disable`, { method: 'POST' });
  await post('/oauth/revoke', { token: 'plat_at_x', ...secretOf(app) });
  const shown = (await list()).map((entry) => [entry.endpoint, entry.error?.code, entry.installation_id]);
  expect(shown).toEqual([
    ['revoke', 'APP_DISABLED', null],
    ['introspect', 'INVALID_CLIENT_SECRET', null],
    // The token belongs to another app: its installation is not named.
    ['token', 'INVALID_GRANT', null],
    ['token', 'INVALID_PKCE', consent.grantId],
  ]);
  const codes = async (query: string) => (await list(query)).map(({ error }) => error?.code);
  expect(await codes('?endpoint=token')).toEqual(['INVALID_GRANT', 'INVALID_PKCE']);
  expect(await codes('?code=APP_DISABLED')).toEqual(['APP_DISABLED']);
  expect(await codes('?code=INVALID_PKCE&endpoint=introspect')).toEqual([]);
  const [first] = await list('?limit=1');
  expect(await codes(`?limit=1&starting_after=${first?.id}`)).toEqual(['INVALID_CLIENT_SECRET']);
  expect(await codes('?created_after=2030-01-01T00:00:00Z')).toEqual([]);
  expect((await api(`/developer/v1/apps/${other.appId}/refusals`)).body.data).toEqual([]);
  const stranger = (await login(story.server, await signedInDeveloper(story.server))).api;
  expectRefusal(await stranger(`/developer/v1/apps/${app.appId}/refusals`), 'APP_NOT_FOUND');
  for (const query of ['', '?endpoint=token', '?code=INVALID_PKCE']) {
    const plans = await plansOf(story.server, () => list(query));
    for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
  }
});

test('requests of unknown apps, and wrong secrets beyond the limit, leave nothing', async () => {
  const before = await select(story.server.db, "SELECT id FROM requests WHERE tenant_id LIKE 'app%'");
  const unknown = { ...app, appId: 'app_01k0z8k3v7e5q2m9t4r6w1x8c0' };
  await post('/oauth/token', refreshForm(unknown, 'plat_rt_x'));
  await list();
  expect(await select(story.server.db, "SELECT id FROM requests WHERE tenant_id LIKE 'app%'")).toEqual(before);
  const wrong = { ...refreshForm(app, 'plat_rt_x'), client_secret: 'wrong' };
  for (let i = 0; i < 25; i++) await post('/oauth/token', wrong);
  const codes = (await list('?limit=100')).map(({ error }) => error?.code);
  expect(new Set(codes)).toEqual(new Set(['INVALID_CLIENT_SECRET']));
  expect(codes.length).toBeLessThanOrEqual(20);
});

/** Requests the authorize page with one wrong parameter. */
async function ask(change: FormFields, cookie?: string, headers: Record<string, string> = {}) {
  const { codeVerifier: _, ...pkce } = newPkce();
  const right = { response_type: 'code', client_id: app.appId, redirect_uri: app.redirectUri, state: 'st-4711' };
  const parameters = { ...right, scope: 'clients:read', code_challenge: pkce.codeChallenge, ...change };
  const url = authorizeUrl(story.server, { code_challenge_method: 'S256', ...parameters });
  return visit(url, { headers: { 'user-agent': 'Firefox/1', ...headers }, ...(cookie !== undefined && { cookie }) });
}

test('a refused authorization request is an entry, shown to the user or sent to the app, without values and addresses', async () => {
  const { tenantId, ownerId } = await story.server.createTenant();
  const owner = await story.server.signInAdmin(ownerId);
  const foreign = await ask({ client_id: 'app_01k0z8k3v7e5q2m9t4r6w1x8c0' });
  const page = await ask({ redirect_uri: 'https://elsewhere.example/cb?secret=4712' });
  const json = await ask({ redirect_uri: undefined }, undefined, { accept: 'application/json' });
  const signIn = await ask({});
  const consent = await ask({}, owner.cookie);
  expect([foreign, page, json, signIn, consent].map(({ status }) => status)).toEqual([400, 400, 400, 303, 200]);
  const sentBack = [];
  for (const change of [{ code_challenge: undefined }, { scope: 'clients:paint' }, { response_type: 'token' }]) {
    const { status, location, headers } = await ask(change, owner.cookie);
    expect([status, location?.startsWith(app.redirectUri)]).toEqual([303, true]);
    sentBack.push(headers.get('x-request-id'));
  }
  await api(`/developer/v1/apps/${app.appId}/disable`, { method: 'POST' });
  await ask({}, owner.cookie);
  const entries = await list();
  expect(
    entries.map(({ endpoint, status, error }) => [endpoint, status, error?.code, error?.errors?.[0]?.path]),
  ).toEqual([
    ['authorize', 403, 'APP_DISABLED', undefined],
    ['authorize', 303, 'INVALID_REQUEST', 'response_type'],
    ['authorize', 303, 'INVALID_SCOPE', undefined],
    ['authorize', 303, 'INVALID_REQUEST', 'code_challenge'],
    ['authorize', 400, 'INVALID_REDIRECT_URI', undefined],
    ['authorize', 400, 'INVALID_REDIRECT_URI', undefined],
  ]);
  expect(entries.slice(1, 4).map(({ id }) => id)).toEqual(sentBack.toReversed());
  // The address is that of a user, whom the app may not have met.
  expect(new Set(entries.map(({ ip, user_agent }) => `${ip} ${user_agent}`))).toEqual(new Set(['null Firefox/1']));
  const rows = await select(story.server.db, 'SELECT * FROM requests WHERE tenant_id = :id', { id: app.appId });
  expect(JSON.stringify([entries, rows])).not.toMatch(/4711|4712|127\.0\.0\.1/);
  expect(JSON.stringify(rows)).not.toContain(tenantId);
  expect((await list('?endpoint=authorize&code=INVALID_SCOPE')).length).toBe(1);
  const browser = visitor(story.server.baseUrl, developer.session.cookie);
  const { text } = await browser.get(`/console/apps/${app.appId}/refusals?endpoint=authorize`);
  expect(text).toMatch(/>authorize<.*badge http warn">303<.*<code>INVALID_REDIRECT_URI<\/code>/s);
});

test('a visitor leaves 20 refused authorization requests a minute, and gets the same page beyond them', async () => {
  const pages = [];
  for (let i = 0; i < 25; i++) pages.push((await ask({ redirect_uri: 'https://elsewhere.example' })).status);
  expect(new Set(pages)).toEqual(new Set([400]));
  expect(await list('?limit=100')).toHaveLength(20);
});

test('in production the log keeps the latest refusals of an app, a bounded number, and nothing else', async () => {
  const production = { NODE_ENV: 'production', PLAT_MASTER_KEY: randomBytes(32).toString('base64') };
  const env = { ...production, PLAT_REQUEST_LOG_SANDBOX_ROWS: '10', PLAT_DISPATCH: 'false' };
  const server = await createTestServer({ env });
  try {
    const own = await server.createApp();
    await postForm(`${server.baseUrl}/oauth/introspect`, { token: 'plat_at_x', ...secretOf(own) });
    expect((await fetch(`${server.baseUrl}/v1/me`)).status).toBe(401);
    const ids: (string | null)[] = [];
    for (let i = 0; i < 30; i++) {
      const { headers } = await postForm(`${server.baseUrl}/oauth/token`, refreshForm(own, `plat_rt_${i}`));
      ids.push(headers.get('x-request-id'));
    }
    const kept = async () =>
      (await select<{ id: string }>(server.db, 'SELECT id FROM requests WHERE tenant_id = :id', { id: own.appId })).map(
        ({ id }) => id,
      );
    await expect.poll(async () => (await kept()).at(-1)).toBe(ids.at(-1));
    expect(await select(server.db, "SELECT id FROM requests WHERE tenant_id = '-'")).toEqual([]);
    await server.housekeeping();
    expect(await kept()).toEqual(ids.slice(-10));
  } finally {
    await server.close();
  }
});

test('the console shows refusals with cause and fix', async () => {
  await post('/oauth/token', { ...refreshForm(app, 'plat_rt_x'), client_secret: 'wrong' });
  const consent = await story.server.grant({ app, tenantId: developer.tenantId });
  await post('/oauth/token', { ...codeForm(app, consent), code_verifier: 'x'.repeat(43) });
  await list();
  const browser = visitor(story.server.baseUrl, developer.session.cookie);
  const path = `/console/apps/${app.appId}`;
  expect((await browser.get(path)).text).toContain(`href="${path}/refusals"`);
  const shown = await browser.get(`${path}/refusals?endpoint=token`);
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('INVALID_CLIENT_SECRET')]);
  expect((await browser.get(`${path}/refusals`)).text).toContain(`href="${path}/installations/${consent.grantId}"`);
  // The cell is not cut: the fix is in no other place.
  expect(shown.text).toMatch(/<th scope="row" class="whole"><code>INVALID_CLIENT_SECRET<\/code>.*Use the current/);
  const none = await browser.get(`${path}/refusals?endpoint=revoke`);
  expect([none.status, none.text]).toEqual([200, expect.stringContaining('No refusal matches')]);
});
