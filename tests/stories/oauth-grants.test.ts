import { createSecretKey, randomBytes } from 'node:crypto';
import {
  captureStatements,
  createTestServer,
  execute,
  hashToken,
  makeRefreshToken,
  newPkce,
  newRefreshSecret,
  newToken,
  readRefreshToken,
  select,
  type TestApp,
  type TestTenant,
} from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { consentForm } from '../support/consent.ts';
import {
  answerIn,
  authorizeUrl,
  codeForm,
  expectOAuthRefusal,
  type FormFields,
  postForm,
  refreshForm,
  secretOf,
  visit,
} from '../support/oauth.ts';
import { useServer } from '../support/story.ts';

/* One live grant per app and tenant, of constant size, and the causes that end it. */

let now = Date.UTC(2026, 0, 1);
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await story.server.createApp();
});

const token = (form: FormFields) => postForm(`${story.server.baseUrl}/oauth/token`, form);
const me = (accessToken: string) => apiOf(story.server.baseUrl, accessToken)('/v1/me');
const newTenant = async () => {
  tenant = await story.server.createTenant();
  return tenant;
};
const granted = () => story.server.grantTokens({ app, tenantId: tenant.tenantId });
const live = async () => {
  const sql = "SELECT id FROM oauth_grants WHERE tenant_id = :tenantId AND status = 'active' ORDER BY id";
  return (await select<{ id: string }>(story.server.db, sql, { tenantId: tenant.tenantId })).map(({ id }) => id);
};
const events = async (type: string) => {
  const sql = 'SELECT id FROM events WHERE tenant_id = :tenantId AND type = :type';
  return (await select(story.server.db, sql, { tenantId: tenant.tenantId, type })).length;
};
const rowsOf = async (grantId: string) => {
  const count = async (table: string, column: string) => {
    const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE ${column} = :grantId`;
    return (await select<{ count: number }>(story.server.db, sql, { grantId }))[0]?.count ?? 0;
  };
  return [
    await count('oauth_grants', 'id'),
    await count('oauth_access_tokens', 'grant_id'),
    await count('oauth_refresh_tokens', 'grant_id'),
  ];
};

describe('a consent form', () => {
  const open = async () => {
    const { ownerId } = await newTenant();
    const session = await story.server.signInAdmin(ownerId);
    const pkce = newPkce();
    const url = authorizeUrl(story.server, {
      response_type: 'code',
      client_id: app.appId,
      redirect_uri: app.redirectUri,
      scope: 'me:read',
      state: 'x',
      code_challenge: pkce.codeChallenge,
      code_challenge_method: 'S256',
    });
    return { url, pkce, ...session, ...(await consentForm(url, session)) };
  };
  const codeOf = (location: string | null) => answerIn({ status: 303, location } as never, app.redirectUri)['code'];

  test('that is posted 8 times at once creates one grant, and all responses have its code', async () => {
    const { action, form, cookie, pkce } = await open();
    const allow = () => visit(action, { cookie, form: { ...form, decision: 'allow' } });
    const answers = await Promise.all(Array.from({ length: 8 }, allow));
    const codes = new Set(answers.map(({ location }) => codeOf(location)));
    expect([codes.size, (await live()).length, await events('oauth.app_authorized')]).toEqual([1, 1, 1]);
    const consent = { grantId: '', code: [...codes][0] ?? '', redirectUri: app.redirectUri, ...pkce };
    expect((await token(codeForm(app, consent))).status).toBe(200);
  });

  test('that is posted again after its code was exchanged leads back to the consent page, and ends nothing', async () => {
    const { url, action, form, cookie, pkce } = await open();
    const allow = () => visit(action, { cookie, form: { ...form, decision: 'allow' } });
    const code = codeOf((await allow()).location) ?? '';
    const consent = { grantId: '', code, redirectUri: app.redirectUri, ...pkce };
    const { body: tokens } = await token(codeForm(app, consent));
    expect(new URL((await allow()).location ?? '', url).href).toBe(url);
    expect((await me(tokens.access_token)).status).toBe(200);
    expect(await live()).toHaveLength(1);
  });

  test('gives another code when the consent page is opened again, or when its parameters are changed', async () => {
    const { url, action, form, cookie, csrfToken } = await open();
    const first = await visit(action, { cookie, form: { ...form, decision: 'allow' } });
    const again = await consentForm(url, { cookie, csrfToken });
    const second = await visit(again.action, { cookie, form: { ...again.form, decision: 'allow' } });
    const other = { ...form, code_challenge: newPkce().codeChallenge, decision: 'allow' };
    const third = await visit(action, { cookie, form: other });
    expect(new Set([first, second, third].map(({ location }) => codeOf(location))).size).toBe(3);
  });

  test('gives another grant when an owner of another tenant posts it', async () => {
    const { action, form, cookie } = await open();
    const first = await visit(action, { cookie, form: { ...form, decision: 'allow' } });
    const { ownerId } = await newTenant();
    const other = await story.server.signInAdmin(ownerId);
    const theirs = { ...form, _csrf: other.csrfToken, decision: 'allow' };
    const second = await visit(action, { cookie: other.cookie, form: theirs });
    expect(codeOf(second.location)).not.toBe(codeOf(first.location));
    expect(await live()).toHaveLength(1);
  });
});

describe('a reconnect', () => {
  test('keeps the previous tokens until the new ones are used on the API; then one grant is left', async () => {
    await newTenant();
    const former = await granted();
    expect((await me(former.tokens.access_token)).status).toBe(200);
    const next = await granted();
    expect(await live()).toEqual([former.grantId, next.grantId]);
    expect((await me(former.tokens.access_token)).status).toBe(200);
    const { body } = await token(refreshForm(app, former.tokens.refresh_token));
    expect((await me(next.tokens.access_token)).status).toBe(200);
    for (const accessToken of [former.tokens.access_token, body.access_token]) {
      expectRefusal(await me(accessToken), 'INVALID_TOKEN');
    }
    expectOAuthRefusal(await token(refreshForm(app, body.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    expect(await live()).toEqual([next.grantId]);
    expect([await events('oauth.app_authorized'), await events('oauth.app_revoked')]).toEqual([2, 0]);
    const trail = await apiOf(story.server.baseUrl, tenant.apiKey)(`/v1/audit/events?target_id=${former.grantId}`);
    expect(trail.body.data[0]).toMatchObject({
      action: 'oauth.tokens_revoked',
      actor: { type: 'oauth_app', id: app.appId },
      changes: { revoked_reason: { after: 'replaced' } },
    });
  });

  test('whose tokens are refreshed before they are used replaces the previous grant too', async () => {
    await newTenant();
    const former = await granted();
    await me(former.tokens.access_token);
    const next = await granted();
    expect((await token(refreshForm(app, next.tokens.refresh_token))).status).toBe(200);
    expectRefusal(await me(former.tokens.access_token), 'INVALID_TOKEN');
    expect(await live()).toEqual([next.grantId]);
  });

  test('that is never used is replaced by the next one, so that there are two grants at most', async () => {
    await newTenant();
    const working = await granted();
    await me(working.tokens.access_token);
    const [second, third] = [await granted(), await granted()];
    expectRefusal(await me(second.tokens.access_token), 'INVALID_TOKEN');
    expect(await live()).toEqual([working.grantId, third.grantId]);
    expect((await me(third.tokens.access_token)).status).toBe(200);
    expect(await live()).toEqual([third.grantId]);
  });

  test('that is never used leaves a previous grant that was refreshed, but not used on the API either', async () => {
    await newTenant();
    const former = await granted();
    const { body } = await token(refreshForm(app, former.tokens.refresh_token));
    const lost = await granted();
    expect(await live()).toEqual([former.grantId, lost.grantId]);
    expect((await token(refreshForm(app, body.refresh_token))).status).toBe(200);
  });

  test('of one tenant or app replaces no grant of another', async () => {
    const elsewhere = (await newTenant()).tenantId;
    const other = await story.server.createApp();
    const beside = [
      await story.server.grantTokens({ app, tenantId: elsewhere }),
      await story.server.grantTokens({ app: other, tenantId: (await newTenant()).tenantId }),
    ];
    for (const { tokens } of beside) expect((await me(tokens.access_token)).status).toBe(200);
    await granted();
    const { tokens } = await granted();
    expect((await me(tokens.access_token)).status).toBe(200);
    for (const { tokens } of beside) expect((await me(tokens.access_token)).status).toBe(200);
  });

  test('costs one write at the first use of its tokens, and none later', async () => {
    await newTenant();
    const { tokens } = await granted();
    const statements = () => captureStatements(story.server.db, () => me(tokens.access_token));
    expect((await statements()).length).toBeGreaterThan(1);
    expect(await statements()).toHaveLength(1);
  });
});

test('revoking one grant of an app ends all of them, codes included, with one revocation event', async () => {
  await newTenant();
  const first = await granted();
  await me(first.tokens.access_token);
  const second = await granted();
  const waiting = await story.server.grant({ app, tenantId: tenant.tenantId });
  await story.server.revokeConsent(tenant.tenantId, first.grantId);
  for (const { tokens } of [first, second]) {
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
  }
  const refused = await token(codeForm(app, waiting));
  expectOAuthRefusal(refused, 'INVALID_GRANT', 'invalid_grant');
  expect(refused.body.error_description).toMatch(/unknown, expired, revoked/);
  expect(await live()).toEqual([]);
  expect(await events('oauth.app_revoked')).toBe(1);
});

describe('the owner who consented', () => {
  const deactivated = async () => {
    await newTenant();
    const api = apiOf(story.server.baseUrl, tenant.apiKey);
    const { body: colleague } = await api('/v1/users', { body: { email: 'colleague@example.com', role: 'owner' } });
    const sql = "UPDATE users SET status = 'active' WHERE tenant_id = :tenantId AND id = :id";
    await execute(story.server.db, sql, { tenantId: tenant.tenantId, id: colleague.id });
    return { colleague, deactivate: () => api(`/v1/users/${tenant.ownerId}/deactivate`, { method: 'POST' }) };
  };

  test('may be deactivated: the tenant keeps the grant, and the other owners see who gave it', async () => {
    const { colleague, deactivate } = await deactivated();
    const { tokens } = await granted();
    expect((await deactivate()).status).toBe(200);
    expect((await me(tokens.access_token)).status).toBe(200);
    const next = await token(refreshForm(app, tokens.refresh_token));
    expect((await me(next.body.access_token)).status).toBe(200);
    const { cookie } = await story.server.signInAdmin(colleague.id);
    const { text } = await visit(`${story.server.baseUrl}/consents`, { cookie });
    expect(text).toMatch(/owner@example\.com[^\n]*Deactivated/);
  });

  test('loses the codes that are not exchanged yet when deactivated or no longer an owner', async () => {
    const demote = () => {
      const api = apiOf(story.server.baseUrl, tenant.apiKey);
      return api(`/v1/users/${tenant.ownerId}`, { method: 'PATCH', body: { role: 'member' } });
    };
    for (const change of ['deactivate', 'demote']) {
      const { deactivate } = await deactivated();
      const consent = await story.server.grant({ app, tenantId: tenant.tenantId });
      expect((await (change === 'demote' ? demote() : deactivate())).status).toBe(200);
      const refused = await token(codeForm(app, consent));
      expectOAuthRefusal(refused, 'INVALID_GRANT', 'invalid_grant');
      // The code was never used: the app must not be told that its tokens were revoked.
      expect(refused.body.error_description).toMatch(/unknown, expired, revoked/);
    }
  });

  test('may be deactivated: a second use of an exchanged code still ends the grant', async () => {
    const { deactivate } = await deactivated();
    const { tokens, ...consent } = await granted();
    expect((await deactivate()).status).toBe(200);
    expectOAuthRefusal(await token(codeForm(app, consent)), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
  });
});

describe('after many refreshes', () => {
  const REFRESHES = 50;

  test('a grant has three rows, only the two newest access tokens work, and any old refresh token is a reuse', async () => {
    await newTenant();
    const { tokens, grantId } = await granted();
    const [access, refresh] = [[tokens.access_token], [tokens.refresh_token]];
    for (let i = 0; i < REFRESHES; i++) {
      const { status, body } = await token(refreshForm(app, refresh.at(-1) ?? ''));
      expect(status).toBe(200);
      access.push(body.access_token);
      refresh.push(body.refresh_token);
    }
    expect(await rowsOf(grantId)).toEqual([1, 2, 0]);
    for (const old of access.slice(0, -2)) expectRefusal(await me(old), 'INVALID_TOKEN');
    for (const newest of access.slice(-2)) expect((await me(newest)).status).toBe(200);
    expectOAuthRefusal(await token(refreshForm(app, refresh[1] ?? '')), 'INVALID_GRANT', 'invalid_grant');
    for (const newest of access.slice(-2)) expectRefusal(await me(newest), 'INVALID_TOKEN');
    const sql = 'SELECT revoked_reason FROM oauth_grants WHERE id = :grantId';
    expect(await select(story.server.db, sql, { grantId })).toEqual([{ revoked_reason: 'refresh_token_reused' }]);
  });

  test('the first refresh token is a reuse as long as the grant lives', async () => {
    await newTenant();
    const { tokens } = await granted();
    let { refresh_token } = tokens;
    for (let i = 0; i < 4; i++) {
      now += 80 * 86_400_000;
      ({ refresh_token } = (await token(refreshForm(app, refresh_token))).body);
      await story.server.housekeeping();
    }
    expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    expectOAuthRefusal(await token(refreshForm(app, refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    expect(await live()).toEqual([]);
  });

  test('revocation by an old refresh token ends the grant', async () => {
    await newTenant();
    const { tokens } = await granted();
    const { body } = await token(refreshForm(app, tokens.refresh_token));
    await postForm(`${story.server.baseUrl}/oauth/revoke`, { token: tokens.refresh_token, ...secretOf(app) });
    expectRefusal(await me(body.access_token), 'INVALID_TOKEN');
  });
});

describe('a refresh token', () => {
  const masterKeys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
  const withKeys = (...keys: readonly string[]) =>
    createTestServer({
      databaseUrl: story.database.url,
      clock: () => now,
      env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY: keys.join(',') },
    });

  test('that is old is a reuse under a previous master key too; the current one works under any of the keys', async () => {
    const [old = '', fresh = ''] = masterKeys;
    const servers = [await withKeys(old), await withKeys(fresh, old), await withKeys(fresh)] as const;
    const [before, during, after] = servers;
    const { tenantId } = await before.createTenant();
    const refreshAt = (server: { readonly baseUrl: string }, refresh_token: string) =>
      postForm(`${server.baseUrl}/oauth/token`, refreshForm(app, refresh_token));
    const { tokens } = await before.grantTokens({ app, tenantId });
    let { refresh_token } = tokens;
    for (const server of [before, before, during, after]) {
      const { status, body } = await refreshAt(server, refresh_token);
      expect(status).toBe(200);
      ({ refresh_token } = body);
    }
    // Without the key that sealed it, the token is unknown, and ends nothing.
    expectOAuthRefusal(await refreshAt(after, tokens.refresh_token), 'INVALID_GRANT', 'invalid_grant');
    expect((await refreshAt(after, refresh_token)).status).toBe(200);
    expectOAuthRefusal(await refreshAt(during, tokens.refresh_token), 'INVALID_GRANT', 'invalid_grant');
    const sql = "SELECT id FROM oauth_grants WHERE tenant_id = :tenantId AND status = 'active'";
    expect(await select(story.server.db, sql, { tenantId })).toEqual([]);
    await Promise.all(servers.map((server) => server.close()));
  });

  /** A grant as the previous version stored it: a row for each refresh token, and no token hash in the grant's row. */
  const formerGrant = async () => {
    await newTenant();
    const { grantId } = await granted();
    const [used, current] = [newToken('plat_rt_'), newToken('plat_rt_')];
    const { db } = story.server;
    const values = { grantId, now, expiresAt: now + 90 * 86_400_000 };
    await execute(
      db,
      `UPDATE oauth_grants SET generation = 2, begun = 1, refreshed_at = :now, refresh_hash = NULL, access_hash = NULL
       WHERE id = :grantId`,
      values,
    );
    for (const [generation, text] of [used, current].entries()) {
      const sql = `INSERT INTO oauth_refresh_tokens (token_hash, grant_id, generation, expires_at)
        VALUES (:hash, :grantId, :generation, :expiresAt)`;
      await execute(db, sql, { ...values, hash: hashToken(text), generation: generation + 1 });
    }
    return { grantId, used, current };
  };

  test('of the previous version works, and the next one has the new form', async () => {
    const { current, grantId } = await formerGrant();
    const first = await token(refreshForm(app, current));
    expect(first.body.refresh_token).toMatch(/^plat_rt_\w{98}$/);
    const second = await token(refreshForm(app, first.body.refresh_token));
    expect((await me(second.body.access_token)).status).toBe(200);
    // The grant still recognises the token of the previous version.
    expectOAuthRefusal(await token(refreshForm(app, current)), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(second.body.access_token), 'INVALID_TOKEN');
    now += 90 * 86_400_000 + 1;
    await story.server.housekeeping();
    expect((await rowsOf(grantId))[2]).toBe(0);
  });

  test('of the previous version that was used before ends its grant', async () => {
    const { used, current } = await formerGrant();
    expectOAuthRefusal(await token(refreshForm(app, used)), 'INVALID_GRANT', 'invalid_grant');
    expectOAuthRefusal(await token(refreshForm(app, current)), 'INVALID_GRANT', 'invalid_grant');
    expect(await live()).toEqual([]);
  });

  test('that names a live grant, with a right checksum, is refused unless it was issued, and ends nothing', async () => {
    await newTenant();
    const { tokens, grantId } = await granted();
    const live = { grantId, generation: 1 };
    expect(readRefreshToken(tokens.refresh_token)).toEqual(live);
    const forged = makeRefreshToken(live, newRefreshSecret(), createSecretKey(randomBytes(32)));
    expect((await token(refreshForm(app, forged))).status).toBe(400);
    expect((await token(refreshForm(app, tokens.refresh_token))).status).toBe(200);
  });

  test('cannot be derived from the database', async () => {
    await newTenant();
    const { tokens, grantId } = await granted();
    const other = tokens.refresh_token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    const { status } = await token(refreshForm(app, other));
    expect(status).toBe(400);
    const sql = 'SELECT * FROM oauth_grants WHERE id = :grantId';
    const [row] = await select<Record<string, unknown>>(story.server.db, sql, { grantId });
    expect(JSON.stringify(row)).not.toContain(tokens.refresh_token);
    expect((await token(refreshForm(app, tokens.refresh_token))).status).toBe(200);
  });
});
