import { createHash } from 'node:crypto';
import { HEADERS } from '@plat/contract';
import { captureStatements, execute, newPkce, select, type TestApp, type TestConsent } from '@plat/server/testing';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import {
  basicOf,
  codeForm,
  expectOAuthRefusal,
  type FormFields,
  formText,
  postForm,
  refreshForm,
  secretOf,
} from '../support/oauth.ts';
import { sendRaw } from '../support/raw-request.ts';
import { useServer } from '../support/story.ts';

/* The token endpoint: the form, the app's secret, the exchange of codes and of refresh tokens. */

let now = Date.UTC(2026, 0, 1);
// Statements are counted, so nothing else may run any.
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let app: TestApp;
let other: TestApp;
let tenantId: string;

beforeAll(async () => {
  ({ tenantId } = await story.server.createTenant());
  app = await story.server.createApp({ scopes: ['clients:read', 'clients:write', 'me:read'] });
  other = await story.server.createApp();
});
// Wrong secrets are counted for each app: a test that sends some uses a separate app, or few.
afterEach(() => {
  now += 120_000;
});

const token = (fields: FormFields | string, headers = {}) =>
  postForm(`${story.server.baseUrl}/oauth/token`, fields, headers);
const grant = (options = {}) => story.server.grant({ app, tenantId, ...options });
const granted = (options = {}) => story.server.grantTokens({ app, tenantId, ...options });
const me = async (accessToken: string) => apiOf(story.server.baseUrl, accessToken)('/v1/me');

describe('a code', () => {
  test('is exchanged for tokens, in a response that must not be cached', async () => {
    const answer = await token(codeForm(app, await grant({ scopes: ['me:read', 'clients:read'] })));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^plat_at_[A-Za-z0-9]{49}$/),
      refresh_token: expect.stringMatching(/^plat_rt_[A-Za-z0-9]{98}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'me:read clients:read',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await me(answer.body.access_token)).body).toEqual({
      object: 'me',
      tenant_id: tenantId,
      credential_type: 'oauth_token',
      scopes: ['me:read', 'clients:read'],
    });
  });

  test('works for 10 minutes, not a millisecond longer', async () => {
    const [early, late] = [await grant(), await grant()];
    now += 600_000 - 1;
    expect((await token(codeForm(app, early))).status).toBe(200);
    now += 1;
    expectOAuthRefusal(await token(codeForm(app, late)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('works once: the second exchange also revokes the tokens of the first', async () => {
    const { tokens, ...consent } = await granted();
    expect((await me(tokens.access_token)).status).toBe(200);
    expectOAuthRefusal(await token(codeForm(app, consent)), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('of another app is refused, and stays valid for its own', async () => {
    const consent = await grant();
    expectOAuthRefusal(
      await token({ ...codeForm(app, consent), ...secretOf(other) }),
      'INVALID_GRANT',
      'invalid_grant',
    );
    expect((await token(codeForm(app, consent))).status).toBe(200);
  });

  test('that another app presents after its exchange ends nothing', async () => {
    const { tokens, ...consent } = await granted();
    expectOAuthRefusal(
      await token({ ...codeForm(app, consent), ...secretOf(other) }),
      'INVALID_GRANT',
      'invalid_grant',
    );
    expect((await me(tokens.access_token)).status).toBe(200);
  });

  test('is not consumed by a wrong verifier, redirect_uri or secret', async () => {
    const consent = await grant();
    const form = codeForm(app, consent);
    const { codeVerifier } = newPkce();
    expectOAuthRefusal(await token({ ...form, code_verifier: codeVerifier }), 'INVALID_PKCE', 'invalid_grant');
    const uri = `${consent.redirectUri}/`;
    expectOAuthRefusal(await token({ ...form, redirect_uri: uri }), 'INVALID_REDIRECT_URI', 'invalid_grant');
    const secret = other.clientSecret;
    expectOAuthRefusal(await token({ ...form, client_secret: secret }), 'INVALID_CLIENT_SECRET', 'invalid_client');
    expect((await token(form)).status).toBe(200);
  });

  test('is checked in the order: secret, code, redirect_uri, PKCE', async () => {
    const consent = await grant();
    const wrong = { redirect_uri: 'https://evil.example/', code_verifier: newPkce().codeVerifier };
    const form = { ...codeForm(app, consent), ...wrong };
    expectOAuthRefusal(
      await token({ ...form, code: 'plat_ac_none', client_secret: 'no' }),
      'INVALID_CLIENT_SECRET',
      'invalid_client',
    );
    expectOAuthRefusal(await token({ ...form, code: 'plat_ac_none' }), 'INVALID_GRANT', 'invalid_grant');
    expectOAuthRefusal(await token(form), 'INVALID_REDIRECT_URI', 'invalid_grant');
    expectOAuthRefusal(await token({ ...form, redirect_uri: consent.redirectUri }), 'INVALID_PKCE', 'invalid_grant');
  });

  test('needs a redirect_uri that the app still has; without one, it is not consumed', async () => {
    const [consent, { tokens, ...used }] = [await grant(), await granted()];
    const register = (uri: string) =>
      execute(story.server.db, 'UPDATE oauth_apps SET redirect_uris = :uris WHERE id = :id', {
        ...{ uris: JSON.stringify([uri]), id: app.appId },
      });
    await register('https://new.example/callback');
    expectOAuthRefusal(await token(codeForm(app, consent)), 'INVALID_REDIRECT_URI', 'invalid_grant');
    // The second use of a code ends its consent all the same.
    expectOAuthRefusal(await token(codeForm(app, used)), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    await register(app.redirectUri);
    expect((await token(codeForm(app, consent))).status).toBe(200);
  });

  test('needs the same redirect_uri, byte for byte', async () => {
    const consent = await grant();
    for (const redirect_uri of [
      consent.redirectUri.toUpperCase(),
      `${consent.redirectUri}?`,
      consent.redirectUri.replace('https://', 'https://:@'),
      consent.redirectUri.replace('app.example', 'app.example:443'),
    ]) {
      expectOAuthRefusal(
        await token({ ...codeForm(app, consent), redirect_uri }),
        'INVALID_REDIRECT_URI',
        'invalid_grant',
      );
    }
  });

  test.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['a character out of the alphabet', `${'a'.repeat(43)}!`],
  ])('with a verifier of %s is INVALID_REQUEST, not INVALID_PKCE', async (_title, code_verifier) => {
    const answer = await token({ ...codeForm(app, await grant()), code_verifier });
    expectOAuthRefusal(answer, 'INVALID_REQUEST', 'invalid_request', ['code_verifier']);
  });

  test('accepts a verifier of 43 and one of 128 characters', async () => {
    for (const length of [43, 128]) {
      const codeVerifier = '-._~'.repeat(32).slice(0, length);
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      const consent = await grant();
      await story.server.db.sequelize.query('UPDATE oauth_grants SET code_challenge = ? WHERE id = ?', {
        replacements: [challenge, consent.grantId],
      });
      expect((await token(codeForm(app, { ...consent, codeVerifier }))).status).toBe(200);
    }
  });
});

describe('a refresh token', () => {
  test('is exchanged for another pair; the previous access token works until its exp', async () => {
    const { tokens } = await granted();
    now += 1_800_000;
    const next = await token(refreshForm(app, tokens.refresh_token));
    expect(next.body).toEqual({
      access_token: expect.stringMatching(/^plat_at_/),
      refresh_token: expect.stringMatching(/^plat_rt_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'clients:read clients:write me:read',
    });
    expect(new Set([next.body.access_token, next.body.refresh_token, ...Object.values(tokens)])).toHaveProperty(
      'size',
      7,
    );
    now += 1_800_000 - 1;
    expect((await me(tokens.access_token)).status).toBe(200);
    now += 1;
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expect((await me(next.body.access_token)).status).toBe(200);
  });

  test('that was exchanged before ends the whole family, access tokens included, from the next request on', async () => {
    const { tokens } = await granted();
    const { body: second } = await token(refreshForm(app, tokens.refresh_token));
    const { body: third } = await token(refreshForm(app, second.refresh_token));
    expectOAuthRefusal(await token(refreshForm(app, tokens.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    for (const { access_token } of [tokens, second, third]) expectRefusal(await me(access_token), 'INVALID_TOKEN');
    for (const { refresh_token } of [tokens, second, third]) {
      expectOAuthRefusal(await token(refreshForm(app, refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    }
  });

  test('that was reused does not affect the consents of other tenants to the same app', async () => {
    const elsewhere = await story.server.createTenant();
    const [mine, beside] = [await granted(), await granted({ tenantId: elsewhere.tenantId })];
    await token(refreshForm(app, mine.tokens.refresh_token));
    await token(refreshForm(app, mine.tokens.refresh_token));
    expectRefusal(await me(mine.tokens.access_token), 'INVALID_TOKEN');
    expect((await me(beside.tokens.access_token)).status).toBe(200);
    expect((await token(refreshForm(app, beside.tokens.refresh_token))).status).toBe(200);
  });

  test('of another app is refused, and ends nothing', async () => {
    const { tokens } = await granted();
    const stolen = { ...refreshForm(app, tokens.refresh_token), ...secretOf(other) };
    expectOAuthRefusal(await token(stolen), 'INVALID_GRANT', 'invalid_grant');
    const { body: next } = await token(refreshForm(app, tokens.refresh_token));
    expectOAuthRefusal(await token(stolen), 'INVALID_GRANT', 'invalid_grant');
    expect((await me(next.access_token)).status).toBe(200);
  });

  test('expires 90 days after its last use', async () => {
    const { tokens } = await granted();
    now += 90 * 86_400_000 - 1;
    const { body: next } = await token(refreshForm(app, tokens.refresh_token));
    now += 90 * 86_400_000;
    expectOAuthRefusal(await token(refreshForm(app, next.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('of a family expires a year after the consent, however often it is used', async () => {
    const consent = await grant();
    const end = now + 365 * 86_400_000;
    now += 300_000;
    let { refresh_token } = (await token(codeForm(app, consent))).body;
    for (; now + 80 * 86_400_000 < end; ) {
      now += 80 * 86_400_000;
      ({ refresh_token } = (await token(refreshForm(app, refresh_token))).body);
    }
    now = end - 1;
    const last = await token(refreshForm(app, refresh_token));
    expect(last.status).toBe(200);
    now = end;
    expectOAuthRefusal(await token(refreshForm(app, last.body.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('gives fewer scopes on request, and all again the next time', async () => {
    const { tokens } = await granted();
    const narrow = await token({ ...refreshForm(app, tokens.refresh_token), scope: 'me:read' });
    expect(narrow.body.scope).toBe('me:read');
    expect((await me(narrow.body.access_token)).body.scopes).toEqual(['me:read']);
    expectRefusal(await apiOf(story.server.baseUrl, narrow.body.access_token)('/v1/clients'), 'INSUFFICIENT_SCOPE');
    const wide = await token(refreshForm(app, narrow.body.refresh_token));
    expect(wide.body.scope).toBe('clients:read clients:write me:read');
  });

  test.each(['users:read', 'me:read users:read', 'nonsense', ' '])(
    'with the scope %j, which was not consented to, is INVALID_SCOPE and consumes nothing',
    async (scope) => {
      const { tokens } = await granted({ scopes: ['me:read'] });
      const form = refreshForm(app, tokens.refresh_token);
      expectOAuthRefusal(await token({ ...form, scope }), 'INVALID_SCOPE', 'invalid_scope');
      expect((await token(form)).status).toBe(200);
    },
  );

  test.each(['plat_rt_unknown', 'nonsense', `plat_rt_${'a'.repeat(49)}`])('that is %s is refused', async (unknown) => {
    expectOAuthRefusal(await token(refreshForm(app, unknown)), 'INVALID_GRANT', 'invalid_grant');
  });

  test('is not accepted as an access token or a code, nor one of them in its place', async () => {
    const { tokens } = await granted();
    expectRefusal(await me(tokens.refresh_token), 'INVALID_TOKEN');
    expectOAuthRefusal(await token(refreshForm(app, tokens.access_token)), 'INVALID_GRANT', 'invalid_grant');
    const consent: TestConsent = { ...(await grant()), code: tokens.refresh_token };
    expectOAuthRefusal(await token(codeForm(app, consent)), 'INVALID_GRANT', 'invalid_grant');
    expectRefusal(await me((await grant()).code), 'INVALID_TOKEN');
  });
});

describe('the form', () => {
  test.each<[string, FormFields, readonly string[]]>([
    ['no grant type', { grant_type: undefined }, ['grant_type']],
    ['an empty grant type', { grant_type: '' }, ['grant_type']],
    ['no code', { code: undefined }, ['code']],
    ['an empty code', { code: '' }, ['code']],
    [
      'neither redirect_uri nor verifier',
      { redirect_uri: undefined, code_verifier: undefined },
      ['code_verifier', 'redirect_uri'],
    ],
    ['no app', { client_id: undefined, client_secret: undefined }, ['client_id', 'client_secret']],
    ['no secret', { client_secret: undefined }, ['client_secret']],
    ['another grant: no refresh token', { grant_type: 'refresh_token' }, ['refresh_token']],
  ])('with %s is INVALID_REQUEST naming the fields, and consumes nothing', async (_title, change, fields) => {
    const form = codeForm(app, await grant());
    expectOAuthRefusal(await token({ ...form, ...change }), 'INVALID_REQUEST', 'invalid_request', fields);
    expect((await token(form)).status).toBe(200);
  });

  test.each(['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', 'toString'])(
    'with the grant type %s is unsupported_grant_type',
    async (grant_type) => {
      const form = { ...codeForm(app, await grant()), grant_type };
      expectOAuthRefusal(await token(form), 'INVALID_REQUEST', 'unsupported_grant_type', ['grant_type']);
    },
  );

  test.each(['code', 'client_secret', 'grant_type', 'unknown'])(
    'with %s twice is INVALID_REQUEST, and consumes nothing',
    async (name) => {
      const form = formText({ unknown: 'x', ...codeForm(app, await grant()) });
      const value = new URLSearchParams(form).get(name) ?? '';
      const twice = await token(`${form}&${formText({ [name]: value })}`);
      expectOAuthRefusal(twice, 'INVALID_REQUEST', 'invalid_request', [name]);
      expect((await token(form)).status).toBe(200);
    },
  );

  test('may have unknown fields', async () => {
    const form = { ...codeForm(app, await grant()), resource: story.server.baseUrl, __proto__x: 'x', toString: 'x' };
    expect((await token(form)).status).toBe(200);
  });

  test.each([
    ['JSON', 'application/json'],
    ['text', 'text/plain'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
  ])('has to be form-encoded: %s is INVALID_REQUEST', async (_title, type) => {
    const form = codeForm(app, await grant());
    const body = type === 'application/json' ? JSON.stringify(form) : formText(form);
    expectOAuthRefusal(await token(body, { 'content-type': type }), 'INVALID_REQUEST', 'invalid_request', ['']);
    expect((await token(form)).status).toBe(200);
  });

  test('has to be uncompressed: another encoding is INVALID_REQUEST', async () => {
    const compressed = { 'content-encoding': 'gzip' };
    const form = codeForm(app, await grant());
    expectOAuthRefusal(await token(form, compressed), 'INVALID_REQUEST', 'invalid_request', ['']);
  });

  test('of exactly 16 KiB is read, one byte more is PAYLOAD_TOO_LARGE', async () => {
    const form = `${formText(codeForm(app, await grant()))}&padding=`;
    const size = 16 * 1024;
    expectOAuthRefusal(await token(form + 'a'.repeat(size + 1 - form.length)), 'PAYLOAD_TOO_LARGE', 'invalid_request');
    expect((await token(form + 'a'.repeat(size - form.length))).status).toBe(200);
  });

  test('is the only source of parameters: the query is ignored', async () => {
    const consent = await grant();
    const { client_secret, ...form } = codeForm(app, consent);
    const url = `${story.server.baseUrl}/oauth/token?${formText({ client_secret })}`;
    expectOAuthRefusal(await postForm(url, form), 'INVALID_REQUEST', 'invalid_request', ['client_secret']);
    const urlWithParameters = `${story.server.baseUrl}/oauth/token?${formText({ code: 'other', grant_type: 'password' })}`;
    expect((await postForm(urlWithParameters, codeForm(app, consent))).status).toBe(200);
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('is posted: %s is 405 with Allow', async (method) => {
    for (const path of ['token', 'introspect', 'revoke']) {
      const answer = await apiLess(`${story.server.baseUrl}/oauth/${path}?grant_type=refresh_token`, method);
      expectOAuthRefusal(answer, 'METHOD_NOT_ALLOWED', 'invalid_request');
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });
});

async function apiLess(url: string, method: string) {
  const response = await fetch(url, { method });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('the app', () => {
  test('sends its secret in the form or by HTTP Basic', async () => {
    const { client_id: _id, client_secret: _secret, ...form } = codeForm(app, await grant());
    const answer = await token(form, { authorization: basicOf(app.appId, app.clientSecret) });
    expect(answer.status).toBe(200);
    const refreshed = await token(
      { grant_type: 'refresh_token', refresh_token: answer.body.refresh_token, client_id: app.appId },
      { authorization: basicOf(app.appId, app.clientSecret).replace('Basic', 'basic') },
    );
    expect(refreshed.status).toBe(200);
  });

  test('may percent-encode everything that it puts into the header', async () => {
    const { client_id: _id, client_secret: _secret, ...form } = codeForm(app, await grant());
    const hex = (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
    const authorization = `Basic ${Buffer.from(`${hex(app.appId)}:${hex(app.clientSecret)}`).toString('base64')}`;
    expect((await token(form, { authorization })).status).toBe(200);
  });

  test('sends its secret in one place: both is INVALID_REQUEST, and so are two different ids', async () => {
    const form = codeForm(app, await grant());
    const authorization = basicOf(app.appId, app.clientSecret);
    expectOAuthRefusal(await token(form, { authorization }), 'INVALID_REQUEST', 'invalid_request', ['client_secret']);
    const { client_secret: _, ...rest } = form;
    expectOAuthRefusal(
      await token({ ...rest, client_id: other.appId }, { authorization }),
      'INVALID_REQUEST',
      'invalid_request',
      ['client_id'],
    );
    expect((await token(rest, { authorization })).status).toBe(200);
  });

  test('sends one header Authorization: two are INVALID_REQUEST, even the same', async () => {
    const { client_id: _id, client_secret: _secret, ...form } = codeForm(app, await grant());
    const basic = ['Authorization', basicOf(app.appId, app.clientSecret)] as const;
    const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
    for (const second of [basic, ['authorization', 'Bearer x'] as const]) {
      const body = Buffer.from(formText(form));
      const call = { method: 'POST', path: '/oauth/token', headers: [type, basic, second], body };
      const { status, headers, text } = await sendRaw(story.server.baseUrl, call);
      const answer = { status, headers: new Headers(headers as Record<string, string>), body: JSON.parse(text) };
      expectOAuthRefusal(answer, 'INVALID_REQUEST', 'invalid_request', ['Authorization']);
    }
    expect((await token(form, { authorization: basic[1] })).status).toBe(200);
  });

  test('is challenged only when it used the header', async () => {
    const mine = await story.server.createApp();
    const { client_id: _id, client_secret: _secret, ...form } = codeForm(app, await grant());
    for (const authorization of [
      basicOf(mine.appId, 'wrong'),
      'Basic nonsense!',
      'Basic',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Basic ${Buffer.from('%zz:%zz').toString('base64')}`,
      `Bearer ${mine.clientSecret}`,
    ]) {
      const answer = await token(form, { authorization });
      expectOAuthRefusal(answer, 'INVALID_CLIENT_SECRET', 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="plat"');
    }
    const answer = await token({ ...form, client_id: mine.appId, client_secret: 'wrong' });
    expectOAuthRefusal(answer, 'INVALID_CLIENT_SECRET', 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('that is unknown is refused like one with a wrong secret, after the same queries', async () => {
    const mine = await story.server.createApp();
    const form = codeForm(app, await grant());
    const ask = (client_id: string) => token({ ...form, client_id, client_secret: 'wrong' });
    const shape = async (client_id: string) => {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const statements = await captureStatements(story.server.db, async () => {
        answer = await ask(client_id);
      });
      const headers = [...(answer?.headers ?? [])].filter(([name]) => !/^(?:date|x-request-id)$/.test(name));
      return { status: answer?.status, body: answer?.body, headers, statements: statements.length };
    };
    const wrong = await shape(mine.appId);
    expect(wrong).toMatchObject({ status: 401, statements: 1 });
    expect(await shape('app_01hzzzzzzzzzzzzzzzzzzzzzzz')).toEqual(wrong);
    expect(await shape('nobody')).toEqual(wrong);
  });

  test('is limited in wrong secrets, for each app and address; a correct one still works', async () => {
    const [mine, neighbour] = [await story.server.createApp(), await story.server.createApp()];
    const consent = await story.server.grant({ app: mine, tenantId });
    const wrong = (appId: string) => token({ ...codeForm(mine, consent), client_id: appId, client_secret: 'wrong' });
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++) statuses.push((await wrong(mine.appId)).status);
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    const limited = await wrong(mine.appId);
    expectOAuthRefusal(limited, 'RATE_LIMITED', 'temporarily_unavailable');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get(HEADERS.rateLimit)).toBe('20');
    expect(limited.headers.get(HEADERS.rateRemaining)).toBe('0');
    expectOAuthRefusal(await wrong(neighbour.appId), 'INVALID_CLIENT_SECRET', 'invalid_client');
    expect((await token(codeForm(mine, consent))).status).toBe(200);
  });
});

test('wrong secrets of an app count together, over all endpoints', async () => {
  const mine = await story.server.createApp();
  const form = { ...refreshForm(mine, 'x'), token: 'x', client_secret: 'wrong' };
  const statuses: number[] = [];
  for (let i = 0; i < 21; i++) {
    const path = ['/oauth/token', '/oauth/introspect', '/oauth/revoke'][i % 3];
    statuses.push((await postForm(`${story.server.baseUrl}${path}`, form)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(401), 429]);
});

describe('a tenant', () => {
  test('that is suspended is refused, and loses nothing by it', async () => {
    const tenant = await story.server.createTenant();
    const { tokens: former } = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
    expect((await me(former.access_token)).status).toBe(200);
    const consent = await story.server.grant({ app, tenantId: tenant.tenantId });
    const { tokens: next } = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
    await story.server.setTenantStatus(tenant.tenantId, 'suspended');
    expectOAuthRefusal(await token(codeForm(app, consent)), 'TENANT_SUSPENDED', 'access_denied');
    expectOAuthRefusal(await token(refreshForm(app, next.refresh_token)), 'TENANT_SUSPENDED', 'access_denied');
    expectRefusal(await me(next.access_token), 'TENANT_SUSPENDED');

    await story.server.setTenantStatus(tenant.tenantId, 'active');
    // The first use of a new grant ends the former one. The refused request was no use.
    expect((await me(former.access_token)).status).toBe(200);
    expect((await me(next.access_token)).status).toBe(200);
    expectRefusal(await me(former.access_token), 'INVALID_TOKEN');
    expect((await token(codeForm(app, consent))).status).toBe(200);
    expect((await token(refreshForm(app, next.refresh_token))).status).toBe(200);
  });

  test('that is suspended loses the family of a code or refresh token that is used again', async () => {
    for (const part of ['code', 'refresh token']) {
      const { tenantId: frozen } = await story.server.createTenant();
      const { tokens, ...consent } = await story.server.grantTokens({ app, tenantId: frozen });
      const form = part === 'code' ? codeForm(app, consent) : refreshForm(app, tokens.refresh_token);
      const last = part === 'code' ? tokens : (await token(form)).body;
      await story.server.setTenantStatus(frozen, 'suspended');
      expectOAuthRefusal(await token(form), 'INVALID_GRANT', 'invalid_grant');
      await story.server.setTenantStatus(frozen, 'active');
      expectRefusal(await me(last.access_token), 'INVALID_TOKEN');
      expectOAuthRefusal(await token(refreshForm(app, last.refresh_token)), 'INVALID_GRANT', 'invalid_grant');
    }
  });

  test('that is not a sandbox stops working with an app when its verification ends, and works again with it', async () => {
    const verified = await story.server.createApp({ verified: true });
    const production = await story.server.createTenant({ sandbox: false });
    const consent = await story.server.grant({ app: verified, tenantId: production.tenantId });
    const { tokens } = await story.server.grantTokens({ app: verified, tenantId: production.tenantId });
    const inSandbox = await story.server.grantTokens({ app: verified, tenantId });

    await story.server.reviewApp(verified.appId, 'rejected');
    const code = 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT';
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expectOAuthRefusal(await token(refreshForm(verified, tokens.refresh_token)), code, 'unauthorized_client');
    expectOAuthRefusal(await token(codeForm(verified, consent)), code, 'unauthorized_client');
    expect((await me(inSandbox.tokens.access_token)).status).toBe(200);

    await story.server.reviewApp(verified.appId, 'verified');
    expect((await me(tokens.access_token)).status).toBe(200);
    expect((await token(refreshForm(verified, tokens.refresh_token))).status).toBe(200);
    expect((await token(codeForm(verified, consent))).status).toBe(200);
  });
});

test('the check of an access token on /v1 is one query, by primary keys', async () => {
  const { tokens } = await granted();
  // The first use ends previous grants; `oauth-grants.test.ts` tests that.
  await me(tokens.access_token);
  const statements = await captureStatements(story.server.db, () => me(tokens.access_token));
  expect(statements).toHaveLength(1);
  expect(statements[0]).toMatch(/^SELECT .* FROM oauth_access_tokens/s);
  const explain = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN FORMAT=TRADITIONAL', mariadb: 'EXPLAIN' };
  const plan = await select(story.server.db, `${explain[story.server.db.kind]} ${statements[0]}`);
  expect(JSON.stringify(plan)).not.toMatch(/SCAN |"type":"(ALL|index)"/);
});

test('actions of an app are in the audit trail in its name, and reuse of a token too', async () => {
  const { tokens, grantId } = await granted();
  const api = apiOf(story.server.baseUrl, tokens.access_token);
  const { body: client } = await api('/v1/clients', { body: { name: 'Made by an app' } });
  now += 1000;
  await token(refreshForm(app, tokens.refresh_token));
  await token(refreshForm(app, tokens.refresh_token));
  const key = await story.server.mintKey(tenantId);
  const trail = async (query: string) =>
    (await apiOf(story.server.baseUrl, key)(`/v1/audit/events?${query}`)).body.data;
  const actor = { type: 'oauth_app', id: app.appId };
  expect(await trail(`target_id=${client.id}`)).toMatchObject([{ action: 'client.created', actor }]);
  expect(await trail(`target_id=${grantId}`)).toMatchObject([
    { action: 'oauth.tokens_revoked', actor, changes: { revoked_reason: { after: 'refresh_token_reused' } } },
    { action: 'oauth.app_authorized', actor: { type: 'user' }, changes: { app_id: { after: app.appId } } },
  ]);
});
