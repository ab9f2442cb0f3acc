import { randomBytes } from 'node:crypto';
import { ALL_SCOPES, DEVICE_PATHS, isId } from '@plat/contract';
import {
  createTestServer,
  execute,
  type MailSink,
  newPkce,
  startMailSink,
  type TestServer,
} from '@plat/server/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { decideConsent } from '../support/consent.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { postDevice } from '../support/developer.ts';
import { dumpOf, sqliteFiles, tablesOf } from '../support/dump.ts';
import { collectIssued, credentialsIn, recordIssued } from '../support/issued.ts';
import { authorizeUrl, basicOf, type FormFields, formText, postForm, visit } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { type Visitor, visitor } from '../support/visitor.ts';

/*
 * Collects every credential that a server issues as it goes over the wire. Then searches all rows, the log at its most
 * verbose level, refusals, and pages that are opened again for them.
 */

const EMAIL = 'ada@example.com';
const INVITED = 'bob@example.com';
const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const REDIRECT_URI = 'https://app.example/callback';

const issued = collectIssued();
const answers = recordIssued(issued);
let database: FreshDatabase;
let sink: MailSink;
let receiver: Receiver;
let server: ServerProcess;
/** A second server on the same database, for queries. */
let here: TestServer;
let developer: Visitor;
let owner: Visitor;
let key = '';
/** The credentials of an app, for forms. */
let app: { readonly client_id: string; readonly client_secret: string };

beforeAll(async () => {
  [database, sink, receiver] = await Promise.all([migratedDatabase(), startMailSink(), startReceiver()]);
  server = await startServerProcess({
    DATABASE_URL: database.url,
    PLAT_MASTER_KEY,
    SMTP_URL: sink.url,
    MAIL_FROM: 'plat@example.com',
    LOG_LEVEL: 'trace',
    // Makes the server return a refresh response again, which it must derive and not store.
    PLAT_REFRESH_GRACE_SECONDS: '30',
  });
  here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
  developer = visitor(server.baseUrl);
  owner = visitor(server.baseUrl);
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await here?.close();
  await server?.stop();
  await Promise.all([sink?.close(), receiver?.close()]);
  await database?.drop();
});

const v1 = (credential = key): Api => apiOf(server.baseUrl, credential);
const oauth = (path: string, fields: FormFields, headers = {}) => postForm(`${server.baseUrl}${path}`, fields, headers);
const once = () => ({ 'idempotency-key': randomBytes(8).toString('hex') });
const twice = async (work: () => Promise<unknown>): Promise<void> => {
  await work();
  await work();
};

/** Returns the text of the latest mail to an address, after `count` mails have arrived. */
async function mailTo(address: string, count: number): Promise<string> {
  const toAddress = () => sink.mails.filter(({ to }) => to === address);
  await expect.poll(() => toAddress().length).toBe(count);
  const text = (toAddress().at(-1)?.message ?? '').replaceAll('=\n', '').replaceAll('=3D', '=');
  issued.read(text);
  const [code] = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(text) ?? [];
  if (code !== undefined) issued.add('sign-in code', code);
  return text;
}

const pathIn = (text: string): string =>
  new URL(/https?:\S+\?token=\S+/.exec(text)?.[0] ?? '').href.slice(server.baseUrl.length);

/** Signs in by the link of a mail, or by its code. */
async function signIn(browser: Visitor, page: string, mails: number, by: 'link' | 'code'): Promise<void> {
  await browser.get(page);
  await browser.post(page, { email: EMAIL });
  const text = await mailTo(EMAIL, mails);
  if (by === 'code') {
    await browser.get(`${page}/code`);
    const [code = ''] = /^[0-9A-Z]{4}-[0-9A-Z]{4}$/m.exec(text) ?? [];
    expect((await browser.post(`${page}/code`, { code })).status).toBe(303);
    return;
  }
  const link = pathIn(text);
  await browser.get(link);
  const { searchParams: fields } = new URL(link, server.baseUrl);
  expect((await browser.post(`${page}/link`, Object.fromEntries(fields))).status).toBe(303);
}

/** Opens the page of a form and posts the form with its hidden fields. */
async function fill(browser: Visitor, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const { text } = await browser.get(path);
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  const answer = await browser.post(path, { ...given, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.text;
}

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const firstIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[0] ?? '';

test('users sign in, and keys and secrets are created in the console', async () => {
  // The first screen follows the log line by which the server was found.
  await server.waitFor(/plat_test_\w{49}/);
  issued.read(server.stdout());
  await signIn(developer, '/console/sign-in', 1, 'code');
  await developer.post('/console/sign-out');
  await signIn(developer, '/console/sign-in', 2, 'link');

  const scopes = Object.fromEntries(ALL_SCOPES.map((scope) => [`scope.${scope}`, 'on']));
  await twice(async () => {
    key = firstIn(await fill(developer, '/console/key', scopes), /plat_test_\w{49}/);
  });
  const first = { name: 'Ledger Sync', website: '', redirect_uris: REDIRECT_URI, 'scope.clients:read': 'on' };
  const registered = await fill(developer, '/console/apps/new', first);
  const path = `/console/apps/${firstIn(registered, /app_\w{26}/)}/secret`;
  await twice(() => fill(developer, path, { expires_in: '86400' }));
});

test('a command line logs in, and creates keys and secrets by the developer API', async () => {
  const begin = () => v1('')(DEVICE_PATHS.code, { body: { client_name: 'plat' } });
  const { body: login } = await begin();
  await begin();
  await developer.get(`/console/cli?user_code=${login.user_code}`);
  await developer.post('/console/cli', { user_code: login.user_code, answer: 'approve' });
  const { body: token } = await v1('')(DEVICE_PATHS.token, { body: { device_code: login.device_code } });
  const api = v1(token.access_token);
  const sameAgain = async (call: string, body: object) => {
    const sent = { body, headers: once() };
    const first = await api(call, sent);
    expect(first.status).toBeLessThan(300);
    expect((await api(call, sent)).body).toEqual(first.body);
    return first.body;
  };
  key = (await sameAgain('/developer/v1/keys', {})).api_key;
  const fields = { redirect_uris: [REDIRECT_URI], scopes: ['clients:read', 'me:read'] };
  const { id } = await sameAgain('/developer/v1/apps', { name: 'Second', ...fields });
  await sameAgain(`/developer/v1/apps/${id}/rotate_secret`, { expires_in: 60 });
  await sameAgain('/developer/v1/launch_tokens', { module: 'analytics' });
});

test('users are invited; webhooks get their secrets, and deliveries', async () => {
  const { body: user } = await v1()('/v1/users', { body: { email: INVITED, role: 'owner' }, headers: once() });
  await mailTo(INVITED, 1);
  await v1()(`/v1/users/${user.id}/invite`, { method: 'POST' });
  const link = pathIn(await mailTo(INVITED, 2));
  await visitor(server.baseUrl).get(link);
  const { searchParams: form } = new URL(link, server.baseUrl);
  expect((await visit(`${server.baseUrl}/invitations/accept`, { form: Object.fromEntries(form) })).status).toBe(200);

  const sent = { body: { url: receiver.url, events: ['*'] }, headers: once() };
  const { body: endpoint } = await v1()('/v1/webhooks/endpoints', sent);
  expect((await v1()('/v1/webhooks/endpoints', sent)).body).toEqual(endpoint);
  await v1()(`/v1/webhooks/endpoints/${endpoint.id}/rotate_secret`, { body: { expires_in: 60 }, headers: once() });
  await v1()('/v1/clients', { body: { name: 'Confidential name' } });
  await receiver.waitFor(1);
});

test('an app gets codes and tokens, in every way', async () => {
  await signIn(owner, '/sign-in', 3, 'link');
  const { text: form } = await developer.get('/console/apps/new');
  expect(form).toContain('Register');
  const registered = await fill(developer, '/console/apps/new', {
    name: 'Third',
    website: '',
    redirect_uris: REDIRECT_URI,
    'scope.me:read': 'on',
  });
  app = {
    client_id: firstIn(registered, /app_\w{26}/),
    client_secret: firstIn(registered, /plat_cs_\w{49}/),
  };
  const consent = async () => {
    const { codeVerifier, codeChallenge } = newPkce();
    issued.add('code verifier', codeVerifier);
    const question = authorizeUrl(server, {
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: REDIRECT_URI,
      scope: 'me:read',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    const back = await decideConsent(question, { cookie: cookieOf(owner), csrfToken: '' });
    const code = new URL(back).searchParams.get('code') ?? '';
    const form = { code, redirect_uri: REDIRECT_URI, code_verifier: codeVerifier };
    return { grant_type: 'authorization_code', ...form, ...app };
  };
  const connect = async () => {
    const exchange = await consent();
    const { status, body } = await oauth('/oauth/token', exchange);
    expect(status).toBe(200);
    return { tokens: body, exchange };
  };
  const refresh = (token: string) =>
    oauth('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...app });

  const { tokens: first } = await connect();
  const { body: second } = await refresh(first.refresh_token);
  expect((await refresh(first.refresh_token)).body).toMatchObject({ refresh_token: second.refresh_token });
  const { body: third } = await refresh(second.refresh_token);
  expect((await v1(third.access_token)('/v1/me')).status).toBe(200);
  const { client_id, client_secret } = app;
  const basic = { authorization: basicOf(client_id, client_secret) };
  expect((await oauth('/oauth/introspect', { token: third.access_token }, basic)).body.active).toBe(true);
  // Reuse ends the family.
  expect((await refresh(first.refresh_token)).status).toBe(400);

  const used = await connect();
  expect((await oauth('/oauth/token', used.exchange)).status).toBe(400);
  const revoked = await connect();
  await oauth('/oauth/revoke', { token: revoked.tokens.access_token, ...app });
  await connect();
  await consent();
});

test('the operator creates keys', async () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr, json } = await operate(database.url, ...args);
    expect(code, stderr).toBe(0);
    issued.read(stdout);
    return json;
  };
  const tenant = await run('tenants', 'create', '--name', 'Acme', '--owner-email', 'owner@example.com');
  await run('keys', 'mint', tenant.tenant_id);
  await run('keys', 'mint-vendor');
  await run('developers', 'create', '--email', 'eve@example.com');
});

test('links, codes and invitations are left unused', async () => {
  const stranger = visitor(server.baseUrl);
  for (const [page, mails] of [
    ['/sign-in', 4],
    ['/console/sign-in', 5],
  ] as const) {
    await stranger.get(page);
    await stranger.post(page, { email: EMAIL });
    await mailTo(EMAIL, mails);
  }
  await v1()('/v1/users', { body: { email: 'carol@example.com', role: 'viewer' } });
  await mailTo('carol@example.com', 1);
});

test('every kind of credential was issued', () => {
  const counts = Object.fromEntries([...issued.byKind].map(([kind, { size }]) => [kind, size]));
  expect(counts).toEqual({
    plat_live: 3,
    plat_test: 5,
    plat_inv: 3,
    plat_cs: 6,
    plat_ac: 5,
    plat_at: 6,
    plat_rt: 6,
    plat_sl: 5,
    plat_dc: 2,
    plat_dv: 1,
    'launch token': 1,
    'webhook secret': 2,
    'CSRF token': expect.any(Number),
    'user code': 2,
    'sign-in code': 5,
    'code verifier': 5,
    'session id': 3,
    'cookie plat_developer': 2,
    'cookie plat_admin': 1,
    'cookie plat_developer_sign_in': expect.any(Number),
    'cookie plat_admin_sign_in': expect.any(Number),
  });
});

test('no refusal contains a credential that was sent to the wrong place', async () => {
  const refreshToken = await liveRefreshToken();
  const question = { client_id: app.client_id, redirect_uri: REDIRECT_URI, response_type: 'code' };
  for (const credential of issued.all()) {
    const encoded = encodeURIComponent(credential);
    const refusals = await Promise.all([
      v1('')(`/v1/me?access_token=${encoded}`),
      v1(`${credential.replace(/[^\x21-\x7e]/g, '')}x`)('/v1/me'),
      v1()('/v1/clients', { body: { name: '', slug: credential, access_token: credential } }),
      v1()(`/v1/clients?starting_after=${encoded}`),
      v1()(`/v1/users?role=${encoded}&email=${encoded}`),
      postDevice(server, DEVICE_PATHS.token, { device_code: credential, client_secret: credential }),
      oauth('/oauth/token', { grant_type: credential, client_id: credential, client_secret: credential }),
      oauth('/oauth/token', { grant_type: 'authorization_code', code: credential, client_id: credential }),
      oauth('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, scope: credential, ...app }),
      oauth('/oauth/token', { grant_type: 'refresh_token', refresh_token: `${credential}x`, ...app }),
      oauth('/oauth/introspect', { token: credential, client_id: credential, client_secret: credential }),
      oauth('/oauth/revoke', { token: credential, client_id: credential }, { authorization: `Basic ${credential}` }),
    ]);
    for (const { status } of refusals) expect(status).toBeGreaterThanOrEqual(400);
    await owner.get(`/oauth/authorize?client_id=${encoded}&redirect_uri=${encoded}`);
    for (const wrong of ['scope', 'response_type', 'code_challenge']) {
      const { location } = await owner.get(`/oauth/authorize?${formText({ ...question, [wrong]: credential })}`);
      expect(location).toContain('error=');
    }
    await developer.get(`/console/sign-in/link?token=${encoded}x`);
    await visitor(server.baseUrl).get(`/invitations/accept?token=${encoded}x`);
  }
  const refused = answers.flatMap(({ status, text, headers }) =>
    status >= 400 ? [text] : [headers.get('location') ?? ''].filter((location) => location.includes('error=')),
  );
  expect(refused.length).toBeGreaterThan(500);
  expect(credentialsIn(refused.join('\n'), issued.all())).toEqual([]);
});

/** Returns a refresh token of a family that has not ended. */
async function liveRefreshToken(): Promise<string> {
  for (const token of issued.byKind.get('plat_rt') ?? []) {
    // The scope exceeds the consent, so that the request is refused and consumes nothing.
    const form = { grant_type: 'refresh_token', refresh_token: token, scope: 'users:read', ...app };
    if ((await oauth('/oauth/token', form)).body.code === 'INVALID_SCOPE') return token;
  }
  throw new Error('every family has ended');
}

test('no page that is opened again contains a credential', async () => {
  const before = issued.all();
  await signIn(developer, '/console/sign-in', 6, 'link');
  await signIn(owner, '/sign-in', 7, 'code');
  const pages = [...(await crawl(developer, '/console')), ...(await crawl(owner, '/'))];
  expect(pages.map(([path]) => path.replace(/(app|gra)_\w{26}/, ':id'))).toEqual(
    expect.arrayContaining([
      '/console',
      '/console/key',
      '/console/key/revoke',
      '/console/apps',
      '/console/apps/new',
      '/console/apps/:id',
      '/console/apps/:id/edit',
      '/console/apps/:id/secret',
      '/console/consents',
      '/console/consents/:id/revoke',
      '/console/cli',
      '/console/reset',
      '/',
      '/consents',
      '/consents/:id/revoke',
    ]),
  );
  expect(credentialsIn(pages.map(([, text]) => text).join('\n'), before)).toEqual([]);
});

/** Pages of different objects and filters that the crawl opens by one path. */
const MOST_OF_A_SHAPE = 5;

/** Opens every page that links lead to from one page, with a browser. */
async function crawl(browser: Visitor, start: string): Promise<(readonly [path: string, text: string])[]> {
  const pages = new Map<string, string>();
  const visited = new Map<string, number>();
  const waiting = [start, ...(start === '/console' ? ['/console/cli'] : [])];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const shape = path.replace(/\?.*/, '').replace(/\b(?!app|gra)[a-z]{3}_\w{26}/g, ':id');
    const visits = (visited.get(shape) ?? 0) + 1;
    if (pages.has(path) || visits > MOST_OF_A_SHAPE) continue;
    visited.set(shape, visits);
    const { status, text, location } = await browser.get(path);
    if (status === 303) {
      waiting.push(location);
      continue;
    }
    // The log does not keep every request that the audit trail names.
    expect(status, path).toBe(/\/requests\/req_/.test(path) && status === 404 ? 404 : 200);
    pages.set(path, text);
    const links = [...text.matchAll(/<a [^>]*href="([^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    waiting.push(...links.filter((href) => href.startsWith('/') && !href.includes('sign-in')));
  }
  return [...pages];
}

test('no row of any table contains a credential, nor does the file of a database', async () => {
  const dump = await dumpOf(here);
  expect((await tablesOf(here)).length).toBeGreaterThan(30);
  // Proves that the dump is complete: data that is not secret is in it.
  for (const known of [EMAIL, INVITED, 'Confidential name', REDIRECT_URI, 'oauth.app_authorized']) {
    expect(dump.includes(known), known).toBe(true);
  }
  expect(credentialsIn(dump, issued.all())).toEqual([]);
  // The key that signs launch tokens never leaves the server. The test searches for the format of a private key.
  expect(dump).not.toMatch(/PRIVATE KEY|"d":/);
  expect(credentialsIn(sqliteFiles(database.url), issued.all())).toEqual([]);
});

test('no line of the log contains a credential or the text of a body, also when the database fails', async () => {
  const secrets = await liveCredentials();
  for (const table of ['oauth_access_tokens', 'developer_tokens', 'sessions', 'sign_in_links', 'api_keys']) {
    await execute(here.db, `ALTER TABLE ${table} RENAME TO broken_${table}`);
  }
  const failed = [
    await v1(secrets.accessToken)('/v1/me'),
    await v1(secrets.developerToken)('/developer/v1/me'),
    await v1()('/v1/me'),
  ];
  for (const { status, body } of failed) expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect((await developer.get('/console')).status).toBe(500);
  const stranger = visitor(server.baseUrl);
  await stranger.get('/sign-in');
  expect((await stranger.post('/sign-in', { email: EMAIL })).status).toBe(500);
  expectRefusal(await v1()('/v1/nothing'), 'INTERNAL_ERROR');
  await server.stop();

  // The first screen shows the key of the sandbox on purpose. Log lines follow.
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.every((line) => JSON.parse(line).level > 0)).toBe(true);
  expect(lines.some((line) => isId('request', JSON.parse(line).req_id))).toBe(true);
  expect(lines.filter((line) => JSON.parse(line).level >= 50).length).toBeGreaterThanOrEqual(failed.length);
  expect(credentialsIn(lines.join('\n'), issued.all())).toEqual([]);
  expect(lines.join('\n')).not.toMatch(/Confidential|@example\.com/);
  expect(server.stderr()).toBe('');
});

/** Returns one credential of two kinds that still works. */
async function liveCredentials(): Promise<{ readonly accessToken: string; readonly developerToken: string }> {
  const live = async (kind: string, path: string) => {
    for (const token of issued.byKind.get(kind) ?? []) if ((await v1(token)(path)).status === 200) return token;
    throw new Error(`no ${kind} works any more`);
  };
  return {
    accessToken: await live('plat_at', '/v1/me'),
    developerToken: await live('plat_dv', '/developer/v1/me'),
  };
}
