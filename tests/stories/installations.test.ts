import { type Installation, LIMITS } from '@plat/contract';
import { newId, type TestApp, unitOfWork } from '@plat/server/testing';
import { beforeEach, expect, test } from 'vitest';
import { type Api, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* The tenants that gave an app access, as the app's developer sees them. */

const DAY_MS = 86_400_000;
const start = Date.parse('2026-03-01T00:00:00.000Z');
let now = start;
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let developer: SignedInDeveloper;
let api: Api;
let app: TestApp;

beforeEach(async () => {
  now += 1000;
  developer = await signedInDeveloper(story.server);
  ({ api } = await login(story.server, developer));
  app = await story.server.createApp({
    developerId: developer.id,
    verified: true,
    scopes: ['clients:read', 'me:read'],
  });
});

async function list(query = ''): Promise<Installation[]> {
  const { status, body } = await api(`/developer/v1/apps/${app.appId}/installations${query}`);
  expect(status).toBe(200);
  return body.data;
}

const states = async (query = '') => (await list(query)).map(({ id, state }) => [id, state]);

test('an installation names tenant, scopes, user, times and state, before and after its code is exchanged', async () => {
  const tenant = await story.server.createTenant({ sandbox: false });
  const consent = { app, tenantId: tenant.tenantId, scopes: ['me:read'] as const };
  const { grantId } = await story.server.grant(consent);
  const pending = {
    object: 'installation',
    id: grantId,
    app_id: app.appId,
    tenant_id: tenant.tenantId,
    scopes: ['me:read'],
    state: 'pending',
    granted_by: tenant.ownerId,
    granted_at: new Date(now).toISOString(),
    last_used_at: null,
    expires_at: new Date(now + LIMITS.authorizationCodeSeconds * 1000).toISOString(),
    revoked_reason: null,
  };
  expect(await list()).toEqual([pending]);
  now += 5000;
  const used = await story.server.grantTokens(consent);
  expect((await list('?state=active'))[0]).toMatchObject({
    id: used.grantId,
    last_used_at: new Date(now).toISOString(),
    // Without a refresh it ends 90 days after its last token.
    expires_at: new Date(now + LIMITS.refreshTokenSeconds * 1000).toISOString(),
  });
  const unused = await story.server.grant(consent);
  now += LIMITS.authorizationCodeSeconds * 1000 - 1;
  expect((await list())[0]).toMatchObject({ id: unused.grantId, state: 'pending' });
  now += 1;
  expect(await states('?state=expired')).toEqual([unused, { grantId }].map((grant) => [grant.grantId, 'expired']));
});

test('each end has its state and reason, and the filters select by state and tenant', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => story.server.createTenant({ sandbox: false })));
  const [left, removed, reused, suspended] = await Promise.all(
    tenants.map(({ tenantId }) => story.server.grantTokens({ app, tenantId })),
  );
  if (!left || !removed || !reused || !suspended) throw new Error('four grants');
  await story.server.revokeConsent(tenants[0]?.tenantId ?? '', left.grantId);
  const token = `${story.server.baseUrl}/oauth/token`;
  await postForm(`${story.server.baseUrl}/oauth/revoke`, {
    token: removed.tokens.access_token,
    ...secretOf(app),
  });
  for (let i = 0; i < 2; i++) await postForm(token, refreshForm(app, reused.tokens.refresh_token));
  await operate(story.database.url, 'tenants', 'suspend', tenants[3]?.tenantId ?? '');

  const byId = Object.fromEntries((await list()).map(({ id, state, revoked_reason }) => [id, [state, revoked_reason]]));
  expect(byId).toEqual({
    [left.grantId]: ['revoked', 'tenant'],
    [removed.grantId]: ['revoked', 'app'],
    [reused.grantId]: ['revoked', 'refresh_token_reused'],
    [suspended.grantId]: ['suspended', null],
  });
  expect((await states('?state=revoked')).map(([, state]) => state)).toEqual(['revoked', 'revoked', 'revoked']);
  expect(await states('?state=suspended')).toEqual([[suspended.grantId, 'suspended']]);
  expect(await states('?state=active')).toEqual([]);
  expect(await states(`?tenant_id=${tenants[0]?.tenantId}`)).toEqual([[left.grantId, 'revoked']]);
  expect(await states(`?tenant_id=${tenants[0]?.tenantId}&state=active`)).toEqual([]);

  const { grantId } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
  now += LIMITS.refreshTokenSeconds * 1000;
  // The login of the command line has expired too.
  ({ api } = await login(story.server, { ...developer, session: await story.server.signInDeveloper(developer.id) }));
  expect(await states('?state=expired')).toEqual(
    expect.arrayContaining([
      [grantId, 'expired'],
      [suspended.grantId, 'expired'],
    ]),
  );
});

test('another developer sees none of it, and the developer sees no other app', async () => {
  const { grantId } = await story.server.grantTokens({ app, tenantId: developer.tenantId });
  const other = await story.server.createApp({ developerId: developer.id });
  expectRefusal(
    await (await login(story.server, await signedInDeveloper(story.server))).api(
      `/developer/v1/apps/${app.appId}/installations`,
    ),
    'APP_NOT_FOUND',
  );
  const one = `installations/${grantId}`;
  expect((await api(`/developer/v1/apps/${app.appId}/${one}`)).body).toEqual((await list())[0]);
  expectRefusal(await api(`/developer/v1/apps/${other.appId}/${one}`), 'INSTALLATION_NOT_FOUND');
  expectRefusal(await api(`/developer/v1/apps/${app.appId}/installations/unknown`), 'INSTALLATION_NOT_FOUND');
  expect((await api(`/developer/v1/apps/${other.appId}/installations`)).body.data).toEqual([]);
  expect((await list()).map(({ id }) => id)).toEqual([grantId]);
});

test('pages follow each other in both directions, and every filter reads an index in its order', async () => {
  const { db } = story.server;
  const at = now - 10 * DAY_MS;
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    ...{ id: newId('grant', at + i), tenant_id: newId('tenant'), app_id: i % 10 ? app.appId : newId('app') },
    ...{ granted_by: newId('user'), scopes: '["me:read"]', status: i % 3 ? ('active' as const) : ('revoked' as const) },
    ...{ revoked_reason: i % 3 ? null : ('tenant' as const), generation: 1, begun: 1 as const, refreshed_at: at },
    ...{ expires_at: now + DAY_MS, created_at: at, updated_at: at },
  }));
  await unitOfWork(db, (transaction) => db.models.oauthGrant.bulkCreate(rows, { transaction }));
  if (db.kind !== 'sqlite') await db.sequelize.query('ANALYZE TABLE oauth_grants');
  const own = rows.filter(({ app_id }) => app_id === app.appId).map(({ id }) => id);

  const ids = async (query: string) => (await list(query)).map(({ id }) => id);
  const first = await ids('?limit=3');
  expect(first).toEqual(own.slice(-3).reverse());
  const second = await ids(`?limit=3&starting_after=${first[2]}`);
  expect(second).toEqual(own.slice(-6, -3).reverse());
  expect(await ids(`?limit=3&ending_before=${second[0]}`)).toEqual(first);

  for (const query of ['', '?state=active', '?state=revoked', `?tenant_id=${rows[7]?.tenant_id}`]) {
    const plans = await plansOf(story.server, () => list(query));
    const ofGrants = plans.filter(([statement]) => statement.includes('FROM oauth_grants'));
    expect(ofGrants.length).toBeGreaterThan(0);
    for (const [statement, plan] of ofGrants) expect(plan, statement).not.toMatch(BAD_PLAN);
  }
});

test('the console shows installations with their state, and filters them', async () => {
  const { tenantId } = await story.server.createTenant({ sandbox: false });
  const { grantId } = await story.server.grantTokens({ app, tenantId });
  const browser = visitor(story.server.baseUrl, developer.session.cookie);
  const path = `/console/apps/${app.appId}`;
  expect((await browser.get(path)).text).toContain(`href="${path}/installations"`);
  const shown = await browser.get(`${path}/installations`);
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining(tenantId)]);
  const one = await browser.get(`${path}/installations/${grantId}`);
  for (const words of [
    `Installation in ${tenantId}`,
    'See clients',
    `plat apps installations get ${app.appId} ${grantId}`,
  ]) {
    expect(one.text).toContain(words);
  }
  expect((await browser.get(`${path}/installations/unknown`)).status).toBe(404);
  const none = await browser.get(`${path}/installations?state=revoked`);
  expect([none.status, none.text]).toEqual([200, expect.stringContaining('No installation matches')]);
  const refused = await browser.get(`${path}/installations?state=x`);
  expect([refused.status, refused.text]).toEqual([200, expect.stringContaining('id="filter-state-problem"')]);
  expect(refused.text).toContain(tenantId);
  expect((await browser.get('/console/apps/app_01k0z8k3v7e5q2m9t4r6w1x8c0/installations')).status).toBe(404);
});
