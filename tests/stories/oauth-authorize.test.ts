import { HEADERS, SCOPES } from '@plat/contract';
import { execute, newPkce, type TestApp, type TestSession, type TestTenant } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { unescapeHtml } from '../support/consent.ts';
import { receiveEvents } from '../support/events.ts';
import { answerIn, authorizeUrl, codeForm, type FormFields, postForm, type Visit, visit } from '../support/oauth.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

/* The authorize endpoint and the consent page, as a browser sees them. */

const story = useServer();
let app: TestApp;
let sandbox: TestTenant;
let owner: TestSession;
const pkce = newPkce();
const STATE = 'xyz/+ &=%"<é';

beforeAll(async () => {
  sandbox = await story.server.createTenant();
  owner = await story.server.signInAdmin(sandbox.ownerId);
  app = await story.server.createApp({
    scopes: ['clients:read', 'clients:write', 'me:read'],
    redirectUris: ['https://app.example/cb', 'https://app.example/cb?keep=%2F&x', 'http://127.0.0.1:4999/cb'],
  });
});

const good = (): FormFields => ({
  response_type: 'code',
  client_id: app.appId,
  redirect_uri: app.redirectUri,
  scope: 'clients:read me:read',
  state: STATE,
  code_challenge: pkce.codeChallenge,
  code_challenge_method: 'S256',
});
const authorize = (change: FormFields = {}, session: Partial<TestSession> = owner, headers = {}): Promise<Visit> =>
  visit(authorizeUrl(story.server, { ...good(), ...change }), {
    ...(session.cookie ? { cookie: session.cookie } : {}),
    headers,
  });
const decide = (decision: string | undefined, change: FormFields = {}, session: TestSession = owner, headers = {}) =>
  visit(`${story.server.baseUrl}/oauth/authorize/decision`, {
    cookie: session.cookie,
    form: { ...good(), decision, _csrf: session.csrfToken, ...change },
    headers,
  });
const asProgram = { accept: 'application/json' };
const json = ({ text }: Visit) => JSON.parse(text);
const iss = () => story.server.baseUrl;

describe('the authorization flow', () => {
  test('leads from the consent page over the owner’s approval back to the app, with a code that works', async () => {
    const question = await authorize();
    expect(question.status).toBe(200);
    // A scope that is named twice is given once.
    const answer = answerIn(await decide('allow', { scope: 'clients:read me:read clients:read' }), app.redirectUri);
    expect(answer).toEqual({ code: expect.stringMatching(/^plat_ac_[A-Za-z0-9]{49}$/), state: STATE, iss: iss() });
    const consent = { grantId: '', code: answer['code'] ?? '', redirectUri: app.redirectUri, ...pkce };
    const tokens = await postForm(`${story.server.baseUrl}/oauth/token`, codeForm(app, consent));
    expect(tokens.body).toMatchObject({ token_type: 'Bearer', scope: 'clients:read me:read' });
  });

  test('leads back with access_denied after a denial, and creates no consent', async () => {
    const before = await consents();
    expect(answerIn(await decide('deny'), app.redirectUri)).toEqual({
      error: 'access_denied',
      error_description: expect.stringMatching(/denied access/),
      state: STATE,
      iss: iss(),
    });
    expect(await consents()).toEqual(before);
  });

  test('keeps the redirect URI byte for byte, and only appends', async () => {
    const redirect_uri = 'https://app.example/cb?keep=%2F&x';
    const { location } = await decide('allow', { redirect_uri });
    expect(location).toMatch(/^https:\/\/app\.example\/cb\?keep=%2F&x&code=plat_ac_\w+&state=/);
  });

  test('returns no state when there was none', async () => {
    expect(Object.keys(answerIn(await decide('allow', { state: undefined }), app.redirectUri))).toEqual([
      'code',
      'iss',
    ]);
    expect(Object.keys(answerIn(await decide('allow', { state: '' }), app.redirectUri))).toEqual(['code', 'iss']);
  });

  test('emits oauth.app_authorized, and at its end oauth.app_revoked, to a receiver that verifies', async () => {
    const tenant = await story.server.createTenant();
    const api = apiOf(story.server.baseUrl, tenant.apiKey);
    const session = await story.server.signInAdmin(tenant.ownerId);
    const events = await receiveEvents(api, ['oauth.app_authorized', 'oauth.app_revoked']);
    await decide('allow', {}, session);
    const [authorized] = await events.first(1);
    expect(authorized).toEqual({
      id: expect.any(String),
      object: 'event',
      type: 'oauth.app_authorized',
      created: expect.any(String),
      tenant_id: tenant.tenantId,
      data: {
        object: 'oauth_authorization',
        app_id: app.appId,
        app_name: app.name,
        tenant_id: tenant.tenantId,
        scopes: ['clients:read', 'me:read'],
        granted_by: tenant.ownerId,
        created_at: authorized?.created,
        revoked_at: null,
      },
    });
    const { body: trail } = await api('/v1/audit/events?action=oauth.app_authorized');
    const grantId = trail.data[0].target.id;
    expect(trail.data[0]).toMatchObject({ actor: { type: 'user', id: tenant.ownerId }, target: { type: 'consent' } });
    await story.server.revokeConsent(tenant.tenantId, grantId);
    const [, revoked] = await events.first(2);
    expect(revoked).toMatchObject({
      type: 'oauth.app_revoked',
      data: { ...authorized?.data, revoked_at: revoked?.created },
    });
    await events.close();
  });
});

async function consents(): Promise<unknown> {
  return (await apiOf(story.server.baseUrl, sandbox.apiKey)('/v1/audit/events?action=oauth.app_authorized')).body.data;
}

describe('the consent page', () => {
  test('names the app, its review, the host of the redirect URI, the tenant, the user, and each scope in a sentence', async () => {
    const { text, headers } = await authorize();
    for (const words of [
      app.name,
      'Not verified',
      'app.example',
      'owner@example.com',
      SCOPES['clients:read'],
      SCOPES['me:read'],
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain(SCOPES['clients:write']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<script/i);
  });

  test('lets forms lead to this origin and that of the redirect URI, and cannot be framed', async () => {
    const policy = async (change: FormFields) => {
      const { status, headers, text } = await authorize(change);
      expect(status, text).toBe(200);
      return headers.get('content-security-policy');
    };
    expect(await policy({})).toMatch(/form-action 'self' https:\/\/app\.example(?:;|$)/);
    expect(await policy({ redirect_uri: 'http://127.0.0.1:4999/cb' })).toMatch(
      /form-action 'self' http:\/\/127\.0\.0\.1:4999/,
    );
    expect(await policy({})).toMatch(/frame-ancestors 'none'/);
  });

  test('keeps a redirect URI that was registered with a semicolon in its host out of the policy', async () => {
    const uri = 'https://app.example;default-src.example/cb';
    const local = await story.server.createApp({ scopes: ['me:read'] });
    await execute(story.server.db, 'UPDATE oauth_apps SET redirect_uris = :uris WHERE id = :id', {
      uris: JSON.stringify([uri]),
      id: local.appId,
    });
    const { status, headers } = await authorize({ client_id: local.appId, redirect_uri: uri, scope: 'me:read' });
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringMatching(/form-action 'self'$/),
    ]);
  });

  test('has one form with two buttons and the parameters of the request, escaped', async () => {
    const { text } = await authorize();
    expect([...text.matchAll(/<button [^>]*name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'deny',
      'allow',
    ]);
    expect(text).toContain('name="state" value="xyz/+ &amp;=%&quot;&lt;é"');
  });

  test('shows that a verified app is verified', async () => {
    const verified = await story.server.createApp({ verified: true, scopes: ['me:read', 'clients:read'] });
    const { text } = await authorize({ client_id: verified.appId, redirect_uri: verified.redirectUri });
    expect(text).toContain('Verified');
    expect(text).not.toContain('Not verified');
  });

  test('changes nothing when it is opened, and accepts HEAD', async () => {
    const before = await consents();
    await authorize();
    const head = await fetch(authorizeUrl(story.server, good()), { method: 'HEAD', headers: { cookie: owner.cookie } });
    expect(head.status).toBe(200);
    expect(await consents()).toEqual(before);
  });
});

describe('a browser is not redirected to the app', () => {
  test.each<[string, FormFields, string]>([
    ['an unknown app', { client_id: 'app_01hzzzzzzzzzzzzzzzzzzzzzzz' }, 'INVALID_REQUEST'],
    ['no app', { client_id: undefined }, 'INVALID_REQUEST'],
    ['a malformed id', { client_id: 'nobody' }, 'INVALID_REQUEST'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/cb' }, 'INVALID_REDIRECT_URI'],
    ['none at all', { redirect_uri: undefined }, 'INVALID_REDIRECT_URI'],
    ['one with a slash more', { redirect_uri: 'https://app.example/cb/' }, 'INVALID_REDIRECT_URI'],
    ['one in upper case', { redirect_uri: 'https://APP.example/cb' }, 'INVALID_REDIRECT_URI'],
    ['one with a parameter more', { redirect_uri: 'https://app.example/cb?a=1' }, 'INVALID_REDIRECT_URI'],
    ['one of another port', { redirect_uri: 'http://127.0.0.1:5000/cb' }, 'INVALID_REDIRECT_URI'],
    [
      'one with another path that leads to the same',
      { redirect_uri: 'https://app.example/./cb' },
      'INVALID_REDIRECT_URI',
    ],
  ])('for %s: a page to a browser, JSON to a program', async (_title, change, code) => {
    for (const session of [owner, {}]) {
      const page = await authorize(change, session);
      expect([page.status, page.location]).toEqual([400, null]);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.text).toContain(page.headers.get(HEADERS.requestId) ?? '-');
      const program = await authorize(change, session, asProgram);
      expect([program.status, program.location, json(program).code]).toEqual([400, null, code]);
    }
    expect((await decide('allow', change)).location).toBeNull();
  });

  test('by an app or redirect URI that is given twice', async () => {
    for (const [name, code] of [
      ['client_id', 'INVALID_REQUEST'],
      ['redirect_uri', 'INVALID_REDIRECT_URI'],
    ] as const) {
      const url = `${authorizeUrl(story.server, good())}&${new URLSearchParams({ [name]: good()[name] ?? '' })}`;
      const answer = await visit(url, { cookie: owner.cookie, headers: asProgram });
      expect([answer.status, answer.location, json(answer).code]).toEqual([400, null, code]);
    }
  });

  test('by an app that is not verified, with a tenant that is not a sandbox, with any other fault as well', async () => {
    const production = await story.server.createTenant({ sandbox: false });
    const session = await story.server.signInAdmin(production.ownerId);
    for (const change of [{}, { scope: 'nonsense' }, { code_challenge: undefined }]) {
      const page = await authorize(change, session);
      expect([page.status, page.location]).toEqual([403, null]);
      expect(page.text).toContain('not verified');
      const program = await authorize(change, session, asProgram);
      expect(json(program).code).toBe('APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT');
      expect([program.status, (await decide('allow', change, session)).location]).toEqual([403, null]);
    }
    const verified = await story.server.createApp({ verified: true, scopes: ['clients:read', 'me:read'] });
    const change = { client_id: verified.appId, redirect_uri: verified.redirectUri };
    expect((await authorize(change, session)).status).toBe(200);
    expect(answerIn(await decide('allow', change, session), verified.redirectUri)).toHaveProperty('code');
    await story.server.reviewApp(verified.appId, 'rejected');
    expect((await authorize(change, session)).status).toBe(403);
  });
});

describe('an error of the app is returned to it', () => {
  test.each<[string, FormFields, string, RegExp]>([
    ['no response type', { response_type: undefined }, 'invalid_request', /response_type/],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type', /response_type/],
    [
      'no challenge',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
      /code_challenge/,
    ],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request', /code_challenge/],
    ['PKCE by plain', { code_challenge_method: 'plain' }, 'invalid_request', /S256/],
    ['no method, which would be plain', { code_challenge_method: undefined }, 'invalid_request', /S256/],
    ['a method in lower case', { code_challenge_method: 's256' }, 'invalid_request', /S256/],
    ['a challenge that is none', { code_challenge: 'a'.repeat(42) }, 'invalid_request', /SHA-256/],
    ['a padded challenge', { code_challenge: `${pkce.codeChallenge}=` }, 'invalid_request', /SHA-256/],
    ['no scope', { scope: undefined }, 'invalid_scope', /scope/],
    ['an empty scope', { scope: ' ' }, 'invalid_scope', /scope/],
    [
      'an unknown scope',
      { scope: 'me:read openid' },
      'invalid_scope',
      /scope asked for is not among those that the app declared$/,
    ],
    ['a misspelt scope', { scope: 'me:read clients:raed' }, 'invalid_scope', /Did you mean clients:read\?$/],
    ['a scope that the app did not declare', { scope: 'me:read users:read' }, 'invalid_scope', /users:read/],
  ])('%s', async (_title, change, error, description) => {
    for (const answer of [
      await authorize(change),
      await decide('allow', change),
      await authorize(change, owner, asProgram),
    ]) {
      expect(answerIn(answer, app.redirectUri)).toEqual({
        error,
        error_description: expect.stringMatching(description),
        state: STATE,
        iss: iss(),
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test.each(['scope', 'state', 'code_challenge', 'resource'])('%s given twice', async (name) => {
    const url = `${authorizeUrl(story.server, { resource: 'x', ...good() })}&${new URLSearchParams({ [name]: 'x' })}`;
    const answer = answerIn(await visit(url, { cookie: owner.cookie }), app.redirectUri);
    expect(answer).toMatchObject({ error: 'invalid_request', iss: iss() });
    expect(answer['state']).toBe(name === 'state' ? undefined : STATE);
  });

  test.each(['a\nb', 'a\rb', 'a\0b', '\x7f'])('a state that a form would change: %j', async (state) => {
    const answer = answerIn(await authorize({ state }), app.redirectUri);
    expect(answer).toMatchObject({ error: 'invalid_request', state, iss: iss() });
  });

  test('a state that is not UTF-8', async () => {
    const url = authorizeUrl(story.server, { ...good(), state: 'bytes' }).replace('state=bytes', 'state=a%FFb');
    const answer = answerIn(await visit(url, { cookie: owner.cookie }), app.redirectUri);
    const description = 'The request is not valid: state must be percent-encoded UTF-8';
    expect(answer).toMatchObject({ error: 'invalid_request', error_description: description });
  });

  test('and so is a user who is not an owner, or no longer one when they submit the page', async () => {
    const tenant = await story.server.createTenant({ ownerEmail: 'of-one-tenant@example.com' });
    const session = await story.server.signInAdmin(tenant.ownerId);
    expect((await authorize({}, session)).status).toBe(200);
    const sql = "UPDATE users SET role = 'member' WHERE tenant_id = :tenantId AND id = :ownerId";
    await execute(story.server.db, sql, { tenantId: tenant.tenantId, ownerId: tenant.ownerId });
    for (const answer of [await decide('allow', {}, session), await authorize({}, session)]) {
      expect(answerIn(answer, app.redirectUri)).toMatchObject({ error: 'access_denied', state: STATE });
    }
    // The role is read again in the transaction of the consent.
    const { tenantId, ownerId: userId } = tenant;
    await expect(story.server.grant({ app, tenantId, userId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a visitor', () => {
  test('who is a program gets UNAUTHORIZED, also with Accept: */*', async () => {
    for (const headers of [asProgram, { accept: '*/*' }]) {
      const answer = await authorize({}, {}, headers);
      expect([answer.status, json(answer).code]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  test('with a browser signs in, and continues at the consent page', async () => {
    const { status, location } = await authorize({}, {});
    expect(status).toBe(303);
    const returnTo = new URL(location ?? '', iss()).searchParams.get('return_to') ?? '';
    expect(`${iss()}${returnTo}`).toBe(authorizeUrl(story.server, good()));
    expect((await visit(iss() + returnTo, { cookie: owner.cookie })).status).toBe(200);
  });

  test('sees on the sign-in page which app sent them there, and that the platform has not reviewed it', async () => {
    const { location } = await authorize({}, {});
    const page = await visit(iss() + location);
    expect(page.text).toContain(`Sign in to continue to <strong><bdi>${app.name}</bdi></strong>`);
    expect(page.text).toContain('The platform has not reviewed this app');
    // The page of another account would not return to the app.
    expect(page.text).not.toContain('/console/sign-in');
    const reviewed = await story.server.createApp({ verified: true });
    const other = await visit(
      iss() + (await authorize({ client_id: reviewed.appId, redirect_uri: reviewed.redirectUri }, {})).location,
    );
    expect(other.text).toContain(`<strong><bdi>${reviewed.name}</bdi></strong>`);
    expect(other.text).not.toContain('has not reviewed');
    for (const returnTo of [
      '/',
      `/consents?client_id=${app.appId}`,
      '/oauth/authorize?client_id=app_x',
      '/oauth/authorize',
    ]) {
      const { text } = await visit(`${iss()}/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
      expect(text).toContain('For users who were invited to a tenant');
    }
  });

  test('is not sent to an app before signing in, whether or not the app has faults', async () => {
    expect((await authorize({ scope: 'nonsense' }, {})).location).toMatch(/^\/sign-in\?/);
  });

  test('whose session ended while the page was open comes back to the consent page', async () => {
    const { status, location } = await decide('allow', {}, { cookie: '', csrfToken: owner.csrfToken });
    expect(status).toBe(303);
    const returnTo = new URL(location ?? '', iss()).searchParams.get('return_to') ?? '';
    expect(Object.fromEntries(new URL(returnTo, iss()).searchParams)).toEqual(good());
  });

  test('of a tenant that was suspended meanwhile gets no code', async () => {
    const tenant = await story.server.createTenant();
    const session = await story.server.signInAdmin(tenant.ownerId);
    await story.server.setTenantStatus(tenant.tenantId, 'suspended');
    expect((await authorize({}, session)).location).toMatch(/^\/sign-in\?/);
    expect((await decide('allow', {}, session)).location).toMatch(/^\/sign-in\?/);
    await story.server.setTenantStatus(tenant.tenantId, 'active');
    const again = await story.server.signInAdmin(tenant.ownerId);
    expect(answerIn(await decide('allow', {}, again), app.redirectUri)).toHaveProperty('code');
  });
});

describe('a decision', () => {
  test.each([
    ['without a token', { _csrf: undefined }, {}],
    ['with a wrong token', { _csrf: 'x'.repeat(43) }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
  ])('%s is refused, and has no effect', async (_title, change, headers) => {
    const before = await consents();
    const answer = await decide('allow', change, owner, headers);
    expect([answer.status, answer.location]).toEqual([403, null]);
    expect(await consents()).toEqual(before);
  });

  test('with the token of another session is refused', async () => {
    const session = await story.server.signInAdmin((await story.server.createTenant()).ownerId);
    const answer = await decide('allow', { _csrf: session.csrfToken }, owner, asProgram);
    expect([answer.status, json(answer).code]).toEqual([403, 'FORBIDDEN']);
  });

  test('is allow or deny', async () => {
    for (const decision of [undefined, '', 'maybe', 'ALLOW']) {
      expect(answerIn(await decide(decision), app.redirectUri)).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('is posted, and the page is opened with GET: other methods get 405 with Allow', async () => {
    for (const [path, method, allow] of [
      ['/oauth/authorize/decision', 'GET', 'POST'],
      ['/oauth/authorize', 'POST', 'GET, HEAD'],
      ['/oauth/authorize', 'DELETE', 'GET, HEAD'],
    ] as const) {
      const response = await fetch(story.server.baseUrl + path, { method, headers: { cookie: owner.cookie } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
      expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    }
  });
});

describe('an app’s server', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('gets the browser with a GET after the form', async () => {
    const local = await story.server.createApp({ redirectUris: [`${receiver.url}/cb`], scopes: ['me:read'] });
    const form = { ...good(), client_id: local.appId, redirect_uri: local.redirectUri, scope: 'me:read' };
    const answer = await decide('allow', form);
    expect(answer.status).toBe(303);
    await fetch(answer.location ?? '');
    expect(receiver.received.at(-1)?.path).toMatch(/^\/cb\?code=plat_ac_/);
  });
});

describe('another tenant or account', () => {
  const hiddenIn = (text: string, action: string) => {
    const [, content = ''] =
      new RegExp(`<form method="post" action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
    const fields = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
    return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescapeHtml(value)]));
  };
  const sessionIn = (answer: Visit) =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1).join())
      .join('; ');
  // Only a session of a production tenant proves an address, and only verified apps work with such tenants.
  let verified: TestApp;
  beforeAll(async () => {
    verified = await story.server.createApp({ verified: true, scopes: ['clients:read', 'me:read'] });
  });
  const asked = (): FormFields => ({ ...good(), client_id: verified.appId, redirect_uri: verified.redirectUri });
  /** A user of two tenants with the same address, who is signed in to the first. */
  const inTwoTenants = async (roleHere = 'owner') => {
    const ownerEmail = `two-${Math.random().toString(36).slice(2)}@example.com`;
    const [here, there] = [
      await story.server.createTenant({ ownerEmail, sandbox: false }),
      await story.server.createTenant({ ownerEmail: ownerEmail.toUpperCase() }),
    ];
    const sql = 'UPDATE users SET role = :role WHERE tenant_id = :tenantId AND id = :id';
    await execute(story.server.db, sql, { role: roleHere, tenantId: here.tenantId, id: here.ownerId });
    return { here, there, session: await story.server.signInAdmin(here.ownerId) };
  };

  test('of the same address needs one form, and the authorization continues unchanged', async () => {
    const { there, session } = await inTwoTenants();
    const { text } = await authorize(asked(), session);
    const form = hiddenIn(text, '/oauth/authorize/account');
    expect(form).toMatchObject({ ...asked(), user_id: there.ownerId });
    const path = `${story.server.baseUrl}/oauth/authorize/account`;
    const switched = await visit(path, { cookie: session.cookie, form });
    expect(switched.status).toBe(303);
    expect(new URL(switched.location ?? '', iss()).href).toBe(authorizeUrl(story.server, asked()));
    const cookie = sessionIn(switched);
    const question = await visit(authorizeUrl(story.server, asked()), { cookie });
    const decision = hiddenIn(question.text, 'authorize/decision');
    const answer = answerIn(
      await visit(`${story.server.baseUrl}/oauth/authorize/decision`, {
        cookie,
        form: { ...decision, decision: 'allow' },
      }),
      verified.redirectUri,
    );
    const consent = { grantId: '', code: answer['code'] ?? '', redirectUri: verified.redirectUri, ...pkce };
    const { body } = await postForm(`${story.server.baseUrl}/oauth/token`, codeForm(verified, consent));
    expect((await apiOf(story.server.baseUrl, body.access_token)('/v1/me')).body.tenant_id).toBe(there.tenantId);
    // The previous session is ended.
    expect((await authorize(asked(), session)).location).toMatch(/^\/sign-in\?/);
  });

  test('is marked when it belongs to a sandbox, whose developer chooses its name', async () => {
    const { here, there, session } = await inTwoTenants();
    await execute(story.server.db, 'UPDATE tenants SET sandbox = 1, name = :name WHERE id = :tenantId', {
      name: here.tenantId,
      tenantId: there.tenantId,
    });
    const { text } = await authorize(asked(), session);
    expect(text).toMatch(RegExp(`<button[^>]*>[^\n]*${here.tenantId}[^\n]*SANDBOX[^\n]*</button>`));
  });

  test('is offered to a user who owns another tenant, instead of a refusal to the app', async () => {
    const { session } = await inTwoTenants('member');
    const page = await authorize(asked(), session);
    expect([page.status, page.location]).toEqual([403, null]);
    expect(hiddenIn(page.text, '/oauth/authorize/account')).toMatchObject(asked());
    expect(answerIn(await decide('allow', asked(), session), verified.redirectUri)).toMatchObject({
      error: 'access_denied',
    });
  });

  test('is not offered to a user who owns no other tenant either: the app gets the refusal', async () => {
    const { there, session } = await inTwoTenants('member');
    const sql = "UPDATE users SET role = 'member' WHERE tenant_id = :tenantId AND id = :id";
    await execute(story.server.db, sql, { tenantId: there.tenantId, id: there.ownerId });
    const answer = answerIn(await authorize(asked(), session), verified.redirectUri);
    expect(answer).toMatchObject({ error: 'access_denied' });
  });

  test('is none for a session of a sandbox, whose developer may give its users any address', async () => {
    const ownerEmail = `victim-${Math.random().toString(36).slice(2)}@example.com`;
    const sandbox = await story.server.createTenant({ ownerEmail });
    const victim = await story.server.createTenant({ ownerEmail, sandbox: false });
    const session = await story.server.signInAdmin(sandbox.ownerId);
    expect(hiddenIn((await authorize(asked(), session)).text, '/oauth/authorize/account')).toEqual({});
    for (const path of ['/oauth/authorize/account', '/tenants']) {
      const form = { ...asked(), user_id: victim.ownerId, _csrf: session.csrfToken };
      const answer = await visit(story.server.baseUrl + path, { cookie: session.cookie, form });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.status).toBeGreaterThanOrEqual(403);
    }
  });

  test('is offered when an app that is not verified meets a production tenant', async () => {
    const production = await story.server.createTenant({ sandbox: false });
    const session = await story.server.signInAdmin(production.ownerId);
    const page = await authorize({}, session);
    expect([page.status, hiddenIn(page.text, '/sign-out')['_csrf']]).toEqual([403, session.csrfToken]);
  });

  test('is offered with paths that work from the response to a form, too', async () => {
    const production = await story.server.createTenant({ sandbox: false });
    const session = await story.server.signInAdmin(production.ownerId);
    const url = `${story.server.baseUrl}/oauth/authorize/decision`;
    const form = { ...good(), decision: 'allow', _csrf: session.csrfToken };
    const page = await visit(url, { cookie: session.cookie, form });
    const [, action = ''] = /<form method="post" action="([^"]*sign-out)"/.exec(page.text) ?? [];
    expect([page.status, new URL(action, url).href]).toEqual([403, `${story.server.baseUrl}/sign-out`]);
  });

  test('is selected by signing out and in, and the authorization continues unchanged', async () => {
    const session = await story.server.signInAdmin((await story.server.createTenant()).ownerId);
    const { text } = await authorize({}, session);
    const form = hiddenIn(text, '/sign-out');
    const left = await visit(`${story.server.baseUrl}/sign-out`, { cookie: session.cookie, form });
    expect(left.status).toBe(303);
    const returnTo = new URL(left.location ?? '', iss()).searchParams.get('return_to') ?? '';
    expect(Object.fromEntries(new URL(returnTo, iss()).searchParams)).toEqual(good());
    expect((await authorize({}, session)).location).toMatch(/^\/sign-in\?/);
  });

  test('is never another person’s, and needs a form of this session', async () => {
    const { there, session } = await inTwoTenants();
    const stranger = await story.server.createTenant();
    const path = `${story.server.baseUrl}/oauth/authorize/account`;
    const post = (user_id: string, _csrf: string) =>
      visit(path, { cookie: session.cookie, form: { ...good(), user_id, _csrf } });
    for (const answer of [
      await post(stranger.ownerId, session.csrfToken),
      await post(there.ownerId, 'x'.repeat(43)),
      await visit(path, { form: { ...good(), user_id: there.ownerId } }),
    ]) {
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
    const sql = "UPDATE users SET status = 'suspended' WHERE tenant_id = :tenantId AND id = :id";
    await execute(story.server.db, sql, { tenantId: there.tenantId, id: there.ownerId });
    expect((await post(there.ownerId, session.csrfToken)).status).toBe(403);
  });
});
