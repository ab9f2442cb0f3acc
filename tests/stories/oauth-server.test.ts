import { randomBytes } from 'node:crypto';
import { ALL_SCOPES } from '@plat/contract';
import { createTestServer, select, type TestServer } from '@plat/server/testing';
import { describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { codeForm, expectOAuthRefusal, postForm, refreshForm } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';

/*
 * Features around the endpoints: metadata, the review of apps, the grace of refreshes, housekeeping, a sandbox's reset.
 */

const DAY_MS = 86_400_000;
let now = Date.UTC(2026, 0, 1);
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
const token = (form: Parameters<typeof postForm>[1]) => postForm(`${story.server.baseUrl}/oauth/token`, form);
const me = (accessToken: string) => apiOf(story.server.baseUrl, accessToken)('/v1/me');

describe('metadata', () => {
  const document = async (base: string, path: string) => {
    const response = await fetch(base + path);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test('of the authorization server has the fields of RFC 8414', async () => {
    const { baseUrl } = story.server;
    const { body, headers } = await document(baseUrl, '/.well-known/oauth-authorization-server');
    const methods = ['client_secret_basic', 'client_secret_post'];
    expect(body).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      introspection_endpoint: `${baseUrl}/oauth/introspect`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: ALL_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      authorization_response_iss_parameter_supported: true,
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect((await document(baseUrl, '/.well-known/jwks.json')).body).toEqual({ keys: expect.any(Array) });
  });

  test('of the API has the fields of RFC 9728, and every challenge of the API names its URL', async () => {
    const { baseUrl } = story.server;
    const path = '/.well-known/oauth-protected-resource';
    expect((await document(baseUrl, path)).body).toEqual({
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: ALL_SCOPES,
      bearer_methods_supported: ['header'],
    });
    const { tenantId } = await story.server.createTenant();
    const app = await story.server.createApp();
    const { tokens } = await story.server.grantTokens({ app, tenantId, scopes: ['me:read'] });
    for (const [key, status] of [
      ['nonsense', 401],
      [undefined, 401],
      [tokens.access_token, 403],
    ] as const) {
      const answer = await apiOf(baseUrl, key)('/v1/clients');
      expect(answer.status).toBe(status);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="plat", /);
      expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${baseUrl}${path}"`);
    }
  });

  test('is also at the URL for a base URL with a path, and nowhere else', async () => {
    // As a proxy forwards it that strips the prefix, except from the well-known paths.
    const port = await freePort();
    const [here, issuer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}/api`];
    const server = await createTestServer({ env: { PORT: String(port), PLAT_BASE_URL: issuer } });
    try {
      for (const name of ['oauth-authorization-server', 'oauth-protected-resource']) {
        const inserted = await document(here, `/.well-known/${name}/api`);
        expect(inserted.body).toEqual((await document(here, `/.well-known/${name}`)).body);
        expect((await document(here, `/.well-known/${name}/other`)).status).toBe(404);
      }
      const { body } = await document(here, '/.well-known/oauth-authorization-server');
      expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
      const answer = await fetch(`${here}/v1/me`);
      const metadata = `resource_metadata="${here}/.well-known/oauth-protected-resource/api"`;
      expect(answer.headers.get('www-authenticate')).toContain(metadata);
    } finally {
      await server.close();
    }
  });
});

describe('with a grace, a repeated refresh', () => {
  const masterKeys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
  const withGrace = (seconds: string, keys: readonly string[] = masterKeys.slice(0, 1)) =>
    createTestServer({
      databaseUrl: story.database.url,
      clock: () => now,
      env: { PLAT_DISPATCH: 'false', PLAT_REFRESH_GRACE_SECONDS: seconds, PLAT_MASTER_KEY: keys.join(',') },
    });
  const refreshAt = (server: TestServer, form: Parameters<typeof postForm>[1]) =>
    postForm(`${server.baseUrl}/oauth/token`, form);

  const granted = async () => {
    const server = await withGrace('30');
    const { tenantId } = await server.createTenant();
    const app = await server.createApp();
    const { tokens } = await server.grantTokens({ app, tenantId });
    return { server, tenantId, app, tokens };
  };

  test('returns the same tokens again until the grace is over; then it ends the family', async () => {
    const { server, app, tokens } = await granted();
    const form = { ...refreshForm(app, tokens.refresh_token), scope: 'me:read' };
    const first = await refreshAt(server, form);
    now += 30_000;
    const again = await refreshAt(server, form);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual({ ...first.body, expires_in: 3570 });
    expect((await me(again.body.access_token)).body.scopes).toEqual(['me:read']);
    now += 1;
    expectOAuthRefusal(await refreshAt(server, form), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(again.body.access_token), 'INVALID_TOKEN');
    await server.close();
  });

  test('is refused while the tenant is suspended', async () => {
    const { server, tenantId, app, tokens } = await granted();
    const form = refreshForm(app, tokens.refresh_token);
    const first = await refreshAt(server, form);
    await server.setTenantStatus(tenantId, 'suspended');
    expectOAuthRefusal(await refreshAt(server, form), 'TENANT_SUSPENDED', 'access_denied');
    await server.setTenantStatus(tenantId, 'active');
    expect((await refreshAt(server, form)).body).toEqual(first.body);
    await server.close();
  });

  test('of a token before the last one ends the family also within the grace', async () => {
    const { server, app, tokens } = await granted();
    const { body: second } = await refreshAt(server, refreshForm(app, tokens.refresh_token));
    const { body: third } = await refreshAt(server, refreshForm(app, second.refresh_token));
    const reused = await refreshAt(server, refreshForm(app, tokens.refresh_token));
    expectOAuthRefusal(reused, 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(third.access_token), 'INVALID_TOKEN');
    await server.close();
  });

  test('at many at once returns the same tokens to all', async () => {
    const { server, app, tokens } = await granted();
    const form = refreshForm(app, tokens.refresh_token);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refreshAt(server, form)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await refreshAt(server, refreshForm(app, answers[0]?.body.refresh_token))).status).toBe(200);
    await server.close();
  });

  test('is accepted by a process that has a newer master key in front', async () => {
    const [old, fresh] = [await withGrace('30'), await withGrace('30', [...masterKeys].reverse())];
    const { tenantId } = await old.createTenant();
    const app = await old.createApp();
    const { tokens } = await old.grantTokens({ app, tenantId });
    const form = refreshForm(app, tokens.refresh_token);
    const first = await refreshAt(old, form);
    expect((await refreshAt(fresh, form)).body).toEqual(first.body);
    await Promise.all([old.close(), fresh.close()]);
  });

  test('of a token that was exchanged without a grace ends the family', async () => {
    const { tenantId } = await story.server.createTenant();
    const app = await story.server.createApp();
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    const form = refreshForm(app, tokens.refresh_token);
    const { body } = await token(form);
    const server = await withGrace('30');
    expectOAuthRefusal(await refreshAt(server, form), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(body.access_token), 'INVALID_TOKEN');
    await server.close();
  });
});

describe('the review of an app', () => {
  const run = (...args: string[]) => operate(story.database.url, 'apps', ...args);

  test('is done by command: verify opens the app to every tenant, reject closes it, with a reason', async () => {
    const app = await story.server.createApp();
    const { tenantId } = await story.server.createTenant({ sandbox: false });
    await expect(story.server.grant({ app, tenantId })).rejects.toMatchObject({
      code: 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT',
    });
    const verified = await run('verify', app.appId);
    expect(verified.json).toMatchObject({ id: app.appId, verification: 'verified', verification_note: null });
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    const rejected = await run('reject', app.appId, '--reason', 'The name is another company’s.');
    expect(rejected.json).toMatchObject({
      verification: 'rejected',
      verification_note: 'The name is another company’s.',
    });
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
  });

  test('has a list, by review status', async () => {
    const app = await story.server.createApp({ verified: true });
    const listed = await run('list', '--verification', 'verified', '--limit', '1');
    expect(listed.json).toMatchObject([
      {
        id: app.appId,
        developer_id: app.developerId,
        verification: 'verified',
        redirect_uris: [expect.stringMatching(/^http/)],
        scopes: expect.arrayContaining([expect.any(String)]),
      },
    ]);
    expect((await run('list', '--verification', 'pending')).json).toEqual([]);
  });

  test('does not verify an app with a loopback redirect URI over http', async () => {
    const app = await story.server.createApp({ redirectUris: ['http://localhost:3000/cb'] });
    const answer = await run('verify', app.appId);
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringMatching(/http:\/\/localhost:3000\/cb/)]);
  });

  test.each([
    [['verify', 'app_nobody'], 1, /There is no app app_nobody/],
    [['list', '--verification', 'good'], 2, /Allowed choices are unverified, pending/],
  ])('%j is refused with exit code %i', async (args, code, message) => {
    const answer = await run(...args);
    expect([answer.code, answer.stdout]).toEqual([code, '']);
    expect(answer.stderr).toMatch(message);
  });
});

describe('housekeeping', () => {
  const count = async (table: string, grantId: string) => {
    const column = table === 'oauth_grants' ? 'id' : 'grant_id';
    const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE ${column} = :grantId`;
    return (await select<{ count: number }>(story.server.db, sql, { grantId }))[0]?.count;
  };

  test('removes access tokens when they expire, and consents 30 days after their end', async () => {
    const { tenantId } = await story.server.createTenant();
    const app = await story.server.createApp();
    const elsewhere = (await story.server.createTenant()).tenantId;
    const [kept, ended, unused] = [
      await story.server.grantTokens({ app, tenantId }),
      await story.server.grantTokens({ app, tenantId: elsewhere }),
      await story.server.grant({ app, tenantId }),
    ];
    await story.server.revokeConsent(elsewhere, ended.grantId);
    const tables = ['oauth_access_tokens', 'oauth_grants'];
    const left = async ({ grantId }: { grantId: string }) => {
      await story.server.housekeeping();
      return Promise.all(tables.map((table) => count(table, grantId)));
    };
    expect([await left(kept), await left(unused)]).toEqual([
      [1, 1],
      [0, 1],
    ]);
    now += 3_600_001;
    expect(await left(kept)).toEqual([0, 1]);
    now += 30 * DAY_MS;
    expect([await left(kept), await left(ended), await left(unused)]).toEqual([
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
    expectOAuthRefusal(await token(refreshForm(app, ended.tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    expect((await token(refreshForm(app, kept.tokens.refresh_token))).status).toBe(200);
    now += 90 * DAY_MS + 1;
    expect(await left(kept)).toEqual([0, 1]);
  });
});

test('the reset of a sandbox removes its consents; the app and its secret stay', async () => {
  const { tenantId } = await story.server.createSandbox();
  const app = await story.server.createApp();
  const waiting = await story.server.grant({ app, tenantId });
  const { tokens } = await story.server.grantTokens({ app, tenantId });
  await story.server.resetSandbox(tenantId);
  expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
  expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
  expectOAuthRefusal(await token(codeForm(app, waiting)), 'INVALID_GRANT', 'invalid_grant');
  const again = await story.server.grantTokens({ app, tenantId });
  expect((await me(again.tokens.access_token)).status).toBe(200);
});
