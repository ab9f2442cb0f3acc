import type { TestApp } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { basicOf, expectOAuthRefusal, type FormFields, postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { useServer } from '../support/story.ts';

/* Introspection (RFC 7662) and revocation (RFC 7009). */

let now = Date.UTC(2026, 0, 1, 0, 0, 0, 500);
// Statements are counted, so nothing else may run any.
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let app: TestApp;
let other: TestApp;
let tenantId: string;
let ownerId: string;

beforeAll(async () => {
  ({ tenantId, ownerId } = await story.server.createTenant());
  app = await story.server.createApp();
  other = await story.server.createApp();
});

const post = (path: string, fields: FormFields, headers = {}) => postForm(story.server.baseUrl + path, fields, headers);
const introspect = (token: string, by: TestApp = app) => post('/oauth/introspect', { token, ...secretOf(by) });
const revoke = (token: string, by: TestApp = app) => post('/oauth/revoke', { token, ...secretOf(by) });
const refresh = (token: string) => post('/oauth/token', refreshForm(app, token));
const granted = (options = {}) => story.server.grantTokens({ app, tenantId, ...options });
const me = (token: string) => apiOf(story.server.baseUrl, token)('/v1/me');

describe('introspection', () => {
  test('returns for a live access token of the app the fields of the specification, and no more', async () => {
    const { tokens } = await granted({ scopes: ['clients:read', 'me:read'] });
    const answer = await introspect(tokens.access_token);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.body).toEqual({
      active: true,
      client_id: app.appId,
      scope: 'clients:read me:read',
      exp: Math.floor(now / 1000) + 3600,
      sub: ownerId,
      tenant_id: tenantId,
    });
  });

  test('returns for everything else {"active":false}, byte for byte the same', async () => {
    const { tokens, code } = await granted();
    const suspended = await story.server.createTenant();
    const frozen = await story.server.grantTokens({ app, tenantId: suspended.tenantId });
    await story.server.setTenantStatus(suspended.tenantId, 'suspended');
    const ended = await granted();
    await story.server.revokeConsent(tenantId, ended.grantId);
    const foreign = await story.server.grantTokens({ app: other, tenantId });
    const texts = new Map<string, string>();
    for (const [what, token] of Object.entries({
      unknown: 'plat_at_unknown',
      nonsense: 'a b',
      refresh: tokens.refresh_token,
      code,
      key: (await story.server.createTenant()).apiKey,
      frozen: frozen.tokens.access_token,
      ended: ended.tokens.access_token,
      foreign: foreign.tokens.access_token,
      long: 'x'.repeat(10_000),
    })) {
      const response = await fetch(`${story.server.baseUrl}/oauth/introspect`, {
        method: 'POST',
        body: new URLSearchParams({ token, ...secretOf(app) }),
      });
      texts.set(what, `${response.status} ${await response.text()}`);
    }
    expect(new Set(texts.values())).toEqual(new Set(['200 {"active":false}']));
    await story.server.setTenantStatus(suspended.tenantId, 'active');
    expect((await introspect(frozen.tokens.access_token)).body.active).toBe(true);
  });

  test('ends with the token, at its exp at the latest', async () => {
    const { tokens } = await granted();
    const { body } = await introspect(tokens.access_token);
    now = body.exp * 1000 - 1;
    expect((await introspect(tokens.access_token)).body.active).toBe(true);
    now = (body.exp + 1) * 1000;
    expect((await introspect(tokens.access_token)).body).toEqual({ active: false });
  });

  test('needs the secret of an app, in the form or by Basic', async () => {
    const { tokens } = await granted();
    const token = tokens.access_token;
    const wrong = await post('/oauth/introspect', { token, client_id: app.appId, client_secret: other.clientSecret });
    expectOAuthRefusal(wrong, 'INVALID_CLIENT_SECRET', 'invalid_client');
    const none = await post('/oauth/introspect', { token });
    expectOAuthRefusal(none, 'INVALID_REQUEST', 'invalid_request', ['client_id', 'client_secret']);
    // A token is not a secret of an app.
    const bearer = await post('/oauth/introspect', { token }, { authorization: `Bearer ${token}` });
    expectOAuthRefusal(bearer, 'INVALID_CLIENT_SECRET', 'invalid_client');
    const basic = await post('/oauth/introspect', { token }, { authorization: basicOf(app.appId, app.clientSecret) });
    expect(basic.body.active).toBe(true);
  });

  test('needs a token, and exactly one', async () => {
    expectOAuthRefusal(await post('/oauth/introspect', secretOf(app)), 'INVALID_REQUEST', 'invalid_request', ['token']);
    const twice = await postForm(
      `${story.server.baseUrl}/oauth/introspect`,
      `token=a&token=b&${new URLSearchParams(secretOf(app))}`,
    );
    expectOAuthRefusal(twice, 'INVALID_REQUEST', 'invalid_request', ['token']);
  });

  test('is one query, of the app and of the token with its grant, by primary keys', async () => {
    const { tokens } = await granted();
    const foreign = await story.server.grantTokens({ app: other, tenantId });
    for (const token of [tokens.access_token, foreign.tokens.access_token, 'nonsense']) {
      const plans = await plansOf(story.server, () => introspect(token));
      expect(plans).toHaveLength(1);
      expect(plans[0]?.[1]).not.toMatch(BAD_PLAN);
    }
  });
});

describe('revocation', () => {
  test.each(['access_token', 'refresh_token'] as const)(
    'of an %s ends its family, from the next request on',
    async (kind) => {
      const { tokens } = await granted();
      const { body: next } = await refresh(tokens.refresh_token);
      const answer = await revoke(tokens[kind]);
      expect([answer.status, answer.body, answer.headers.get('cache-control')]).toEqual([200, {}, 'no-store']);
      for (const { access_token } of [tokens, next]) {
        expectRefusal(await me(access_token), 'INVALID_TOKEN');
        expect((await introspect(access_token)).body).toEqual({ active: false });
      }
      expectOAuthRefusal(await refresh(next.refresh_token), 'INVALID_GRANT', 'invalid_grant');
    },
  );

  test('accepts the token_type_hint of RFC 7009, right or wrong', async () => {
    for (const hint of ['access_token', 'refresh_token', 'nonsense']) {
      const { tokens } = await granted();
      const form = { token: tokens.refresh_token, token_type_hint: hint, ...secretOf(app) };
      expect((await post('/oauth/revoke', form)).status).toBe(200);
      expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    }
  });

  test('of an unknown token, a revoked one or one of another app is 200 all the same, and ends nothing', async () => {
    const { tokens } = await story.server.grantTokens({ app: other, tenantId });
    for (const token of ['plat_rt_unknown', 'nonsense', tokens.access_token, tokens.refresh_token]) {
      const answer = await revoke(token);
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect((await me(tokens.access_token)).status).toBe(200);
    const mine = await granted();
    await revoke(mine.tokens.refresh_token);
    expect((await revoke(mine.tokens.refresh_token)).status).toBe(200);
  });

  test('needs the app’s secret and a token', async () => {
    const { tokens } = await granted();
    const form = { token: tokens.refresh_token, client_id: app.appId, client_secret: 'wrong' };
    expectOAuthRefusal(await post('/oauth/revoke', form), 'INVALID_CLIENT_SECRET', 'invalid_client');
    expectOAuthRefusal(await post('/oauth/revoke', secretOf(app)), 'INVALID_REQUEST', 'invalid_request', ['token']);
    expect((await me(tokens.access_token)).status).toBe(200);
  });

  test('works for a suspended tenant too', async () => {
    const tenant = await story.server.createTenant();
    const { tokens } = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
    await story.server.setTenantStatus(tenant.tenantId, 'suspended');
    expect((await revoke(tokens.access_token)).status).toBe(200);
    await story.server.setTenantStatus(tenant.tenantId, 'active');
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
  });
});

test('a consent that its tenant revokes ends at once, at every endpoint', async () => {
  const { tokens, grantId } = await granted();
  await story.server.revokeConsent(tenantId, grantId);
  expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
  expect((await introspect(tokens.access_token)).body).toEqual({ active: false });
  expectOAuthRefusal(await refresh(tokens.refresh_token), 'INVALID_GRANT', 'invalid_grant');
  await expect(story.server.revokeConsent(tenantId, grantId)).rejects.toMatchObject({ code: 'CONSENT_NOT_FOUND' });
  const [mine, theirs] = [await granted(), (await story.server.createTenant()).tenantId];
  await expect(story.server.revokeConsent(theirs, mine.grantId)).rejects.toMatchObject({ code: 'CONSENT_NOT_FOUND' });
});
