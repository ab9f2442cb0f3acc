import { createHash } from 'node:crypto';
import { newId, type TestApp, type TestSession, unitOfWork } from '@plat/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { authorizeUrl, codeForm, postForm, refreshForm, secretOf, visit } from '../support/oauth.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/** Enough rows that a plan without an index would not be chosen by accident. */
const ROWS = 3000;

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let app: TestApp;
let tenantId: string;
let session: TestSession;
const hash = (text: string) => createHash('sha256').update(text).digest();

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  ({ tenantId } = tenant);
  session = await story.server.signInAdmin(tenant.ownerId);
  app = await story.server.createApp();
  const { db } = story.server;
  const { models } = db;
  const at = Date.now();
  const instants = { created_at: at, updated_at: at };
  const grants = Array.from({ length: ROWS }, () => newId('grant'));
  await unitOfWork(db, async (transaction) => {
    await models.oauthApp.bulkCreate(
      grants.map((id) => ({
        ...{ id: newId('app'), developer_id: newId('developer'), name: 'App', website: null, redirect_uris: '[]' },
        ...{ scopes: '[]', verification: 'unverified', verification_note: null, secret_hash: hash(id) },
        ...{ disabled_by: null, previous_secret_hash: null, previous_secret_expires_at: null, ...instants },
      })),
      { transaction },
    );
    await models.oauthGrant.bulkCreate(
      grants.map((id, i) => ({
        ...{ id, tenant_id: i % 100 ? newId('tenant') : tenantId, app_id: app.appId, granted_by: tenant.ownerId },
        ...{ scopes: '[]', status: 'active', revoked_reason: null, generation: 1, refreshed_at: at },
        ...{ begun: 1, code_hash: hash(`code ${id}`), code_challenge: 'x', redirect_uri: 'https://app.example/' },
        ...{ refresh_hash: hash(id), previous_refresh_hash: null },
        ...{ access_hash: hash(id), previous_access_hash: null },
        ...{ expires_at: at + 86_400_000, ...instants },
      })),
      { transaction },
    );
    await models.oauthAccessToken.bulkCreate(
      grants.map((id) => ({ token_hash: hash(id), grant_id: id, scopes: '[]', expires_at: at + 3_600_000 })),
      { transaction },
    );
    await models.oauthRefreshToken.bulkCreate(
      grants.map((id) => ({ token_hash: hash(id), grant_id: id, generation: 1, expires_at: at + 3_600_000 })),
      { transaction },
    );
  });
  if (db.kind !== 'sqlite') {
    await db.sequelize.query('ANALYZE TABLE oauth_apps, oauth_grants, oauth_access_tokens, oauth_refresh_tokens');
  }
});

test('every query of the OAuth endpoints reads an index', async () => {
  const { baseUrl } = story.server;
  const post = (path: string, form: Parameters<typeof postForm>[1]) => postForm(baseUrl + path, form);
  const another = (await story.server.createTenant()).tenantId;
  const consent = await story.server.grant({ app, tenantId: another });
  const { tokens } = await story.server.grantTokens({ app, tenantId });
  const elsewhere = (await story.server.createTenant()).tenantId;
  const doomed = await story.server.grantTokens({ app, tenantId: elsewhere });
  const url = authorizeUrl(story.server, {
    ...{ response_type: 'code', client_id: app.appId, redirect_uri: app.redirectUri, scope: 'me:read' },
    ...{ code_challenge: hash('x').toString('base64url'), code_challenge_method: 'S256' },
  });
  const calls: readonly [number, () => Promise<{ status: number }>][] = [
    [200, () => visit(url, { cookie: session.cookie })],
    [200, () => post('/oauth/token', codeForm(app, consent))],
    [400, () => post('/oauth/token', codeForm(app, consent))],
    [200, () => apiOf(baseUrl, tokens.access_token)('/v1/me')],
    [200, () => post('/oauth/introspect', { token: tokens.access_token, ...secretOf(app) })],
    [200, () => post('/oauth/token', refreshForm(app, tokens.refresh_token))],
    [400, () => post('/oauth/token', refreshForm(app, tokens.refresh_token))],
    [200, () => post('/oauth/revoke', { token: doomed.tokens.refresh_token, ...secretOf(app) })],
  ];
  for (const [status, call] of calls) {
    const plans = await plansOf(story.server, async () => expect((await call()).status).toBe(status));
    expect(plans.length).toBeGreaterThan(0);
    for (const [statement, plan] of plans) expect(plan, statement).not.toMatch(BAD_PLAN);
  }
});

test('the last tokens of the apps of a developer are read by an index', async () => {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const own = await server.createApp({ developerId: developer.id });
  await server.grantTokens({ app: own, tenantId: developer.tenantId });
  const { get } = visitor(server.baseUrl, developer.session.cookie);
  const plans = await plansOf(server, async () => {
    expect((await get('/console/apps')).text).toMatch(/<td class="wide nowrap muted"><time class="ago"[^>]*>now/);
  });
  const ofGrants = [...plans].filter(([statement]) => statement.includes('oauth_grants g'));
  expect(ofGrants).toHaveLength(1);
  for (const [statement, plan] of ofGrants) expect(plan, statement).not.toMatch(BAD_PLAN);
});
