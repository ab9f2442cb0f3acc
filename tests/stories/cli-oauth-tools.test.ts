import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { EXIT_CODES, run } from '@plat/cli';
import { memoryStore, OAuth } from '@plat/sdk/oauth';
import { selectOne, type TestApp, type TestTenant } from '@plat/server/testing';
import { beforeEach, expect, test } from 'vitest';
import { decideConsent } from '../support/consent.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { freePort } from '../support/free-port.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

let home: string;
beforeEach(() => {
  home = tempFolder('cli-oauth').path;
});

interface PlatOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Acts as the browser for each authorization address that is printed. */
  readonly browser?: (authorizeUrl: string) => Promise<unknown>;
}

/** Runs `plat` in this process, against the server of the story. */
async function plat(args: readonly string[], { stdin = '', env = {}, browser }: PlatOptions = {}) {
  let [out, err] = ['', ''];
  let opened: Promise<unknown> | undefined;
  const look = () => {
    const [url] = /http:\S+\/oauth\/authorize\?[^\s"]+/.exec(out + err) ?? [];
    if (url !== undefined && browser) opened ??= browser(url);
  };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    look();
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    look();
  });
  const input = new PassThrough();
  input.end(stdin);
  const surroundings = { HOME: home, PLAT_BASE_URL: story.server.baseUrl, ...env };
  const code = await run(args, { stdin: input, stdout, stderr, env: surroundings, cwd: home });
  await opened;
  return { code, out, err };
}

/** A developer who is logged in on this command line. */
async function logIn(): Promise<void> {
  const developer = await signedInDeveloper(story.server);
  const { token } = await login(story.server, developer);
  const kept = { token, id: developer.id, email: developer.email, tenant_id: developer.tenantId };
  const folder = join(home, '.config', 'plat');
  mkdirSync(folder, { recursive: true });
  const profiles = { it: { base_url: story.server.baseUrl, developer: kept } };
  const text = JSON.stringify({ version: 1, current: 'it', profiles });
  writeFileSync(join(folder, 'credentials.json'), text, { mode: 0o600 });
}

/** An app with a redirect URI on a local port, and the arguments of `plat oauth try` for it. */
async function appOnLoopback() {
  const port = await freePort();
  const app = await story.server.createApp({ redirectUris: [`http://127.0.0.1:${port}/callback`] });
  const args = ['oauth', 'try', '--app-id', app.appId, '--port', String(port), '--scope', 'clients:read,me:read'];
  return { app, args, env: { PLAT_APP_SECRET: app.clientSecret } };
}

/** The browser of the tenant's owner, from the consent page to the redirect URI. */
const ownerOf =
  ({ ownerId }: TestTenant, decision: 'allow' | 'deny' = 'allow') =>
  async (authorizeUrl: string) =>
    fetch(await decideConsent(authorizeUrl, await story.server.signInAdmin(ownerId), decision));

/** Returns the number of active consents of a tenant. */
async function consentsOf({ tenantId }: TestTenant): Promise<number> {
  const sql = "SELECT COUNT(*) AS live FROM oauth_grants WHERE tenant_id = :tenantId AND status = 'active'";
  const row = await selectOne<{ live: number }>(story.server.db, sql, { tenantId });
  return Number(row?.live);
}

const SECRET = /plat_(?:at|rt|ac|cs|dv)_\w+/;

test('a launch token that a developer mints is verified and decoded in a pipe', async () => {
  await logIn();
  const minted = await plat(['launch', 'mint', '--module', 'analytics']);
  expect(minted).toMatchObject({ code: EXIT_CODES.ok, out: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/) });
  expect(minted.err).not.toContain(minted.out.trim());

  const verify = ['launch', 'verify', '--json', '--audience'];
  const { aud, iss } = JSON.parse(Buffer.from(minted.out.split('.')[1] ?? '', 'base64url').toString());
  const valid = await plat([...verify, aud], { stdin: minted.out });
  expect([valid.code, valid.err]).toEqual([EXIT_CODES.ok, '']);
  expect(JSON.parse(valid.out)).toMatchObject({ valid: true, claims: { iss: story.server.baseUrl, aud } });
  const other = await plat([...verify, `${aud}-other`], { stdin: minted.out });
  expect([other.code, JSON.parse(other.err).error.code]).toEqual([EXIT_CODES.checkFailed, 'AUDIENCE_MISMATCH']);

  const decoded = await plat(['launch', 'decode', '--json'], { stdin: minted.out });
  expect(JSON.parse(decoded.out)).toMatchObject({ verified: false, expired: false, claims: { iss, aud } });
});

test('plat oauth try goes through consent, tokens, a refresh and an API call, and revokes the consent at the end', async () => {
  const { args, env, app } = await appOnLoopback();
  const tenant = await story.server.createTenant();
  const tried = await plat(args, { env, browser: ownerOf(tenant) });
  expect(tried.err).toMatch(
    /1\. authorization begun[\s\S]*2\. browser came back[\s\S]*3\. state and iss checked[\s\S]*4\. access token introspected[\s\S]*5\. refreshed[\s\S]*6\. GET \/v1\/me[\s\S]*7\. tokens revoked/,
  );
  expect(tried.code).toBe(EXIT_CODES.ok);
  expect(tried.out).toContain(tenant.tenantId);
  expect(tried.out + tried.err).not.toMatch(SECRET);
  expect(tried.out + tried.err).not.toContain(app.clientSecret);
  expect(await consentsOf(tenant)).toBe(0);
});

test('with --json, plat oauth try prints a line with the address and a line with the result', async () => {
  const { args, env } = await appOnLoopback();
  const tenant = await story.server.createTenant();
  const tried = await plat([...args, '--json', '--keep'], { env, browser: ownerOf(tenant) });
  expect([tried.code, tried.err]).toEqual([EXIT_CODES.ok, '']);
  const [asked, result] = tried.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(asked).toMatchObject({ object: 'oauth_authorization_request' });
  expect(result).toMatchObject({
    object: 'oauth_try',
    tenant_id: tenant.tenantId,
    scopes: ['clients:read', 'me:read'],
    revoked: false,
  });
  expect(result.expires_in).toBeGreaterThan(3000);
  expect(result.steps.at(-1)).toMatchObject({ step: 'GET /v1/me', credential_type: 'oauth_token' });
  expect(tried.out).not.toMatch(SECRET);
  expect(await consentsOf(tenant)).toBe(1);
  const sql = 'SELECT generation FROM oauth_grants WHERE tenant_id = :tenantId';
  const { tenantId } = tenant;
  expect(await selectOne(story.server.db, sql, { tenantId }), 'one refresh').toMatchObject({ generation: 2 });
});

test('plat oauth try exits with 11 when the owner refuses', async () => {
  const { args, env } = await appOnLoopback();
  const tenant = await story.server.createTenant();
  const tried = await plat([...args, '--json'], { env, browser: ownerOf(tenant, 'deny') });
  expect(tried.code).toBe(EXIT_CODES.checkFailed);
  expect(JSON.parse(tried.err)).toMatchObject({ error: { code: 'ACCESS_DENIED' }, exit_code: 11 });
});

test('plat oauth try rejects a redirect URI that is not registered before it opens a page, with the command that registers it', async () => {
  const { app, env } = await appOnLoopback();
  const port = await freePort();
  const tried = await plat(['oauth', 'try', '--app-id', app.appId, '--port', String(port)], { env });
  expect([tried.code, tried.out]).toEqual([EXIT_CODES.checkFailed, '']);
  expect(tried.err).toContain('INVALID_REDIRECT_URI');
  expect(tried.err).toContain(`plat apps update ${app.appId} --redirect-uris http://127.0.0.1:${port}/callback`);
});

test('plat oauth try exits with 11 when the secret is wrong', async () => {
  const { args } = await appOnLoopback();
  const tenant = await story.server.createTenant();
  const env = { PLAT_APP_SECRET: 'plat_cs_wrong' };
  const tried = await plat(args, { env, browser: ownerOf(tenant) });
  expect(tried.code).toBe(EXIT_CODES.checkFailed);
  expect(tried.err).toContain('INVALID_CLIENT_SECRET');
});

test('an access token is active until its consent is revoked', async () => {
  const app = await story.server.createApp();
  const { token, revoke } = await tokenFor(app);
  const file = join(home, 'secret.txt');
  writeFileSync(file, `${app.clientSecret}\n`);
  const args = ['oauth', 'introspect', '--app-id', app.appId, '--app-secret-file', file];
  const active = await plat([...args, '--json'], { stdin: token });
  expect([active.code, active.err]).toEqual([EXIT_CODES.ok, '']);
  expect(JSON.parse(active.out)).toMatchObject({ active: true, client_id: app.appId, scope: 'me:read' });
  expect((await plat(args, { stdin: token })).out).toMatch(/^expires +\S+ \(in \d+ (?:min|h)\)$/m);

  await revoke();
  expect(JSON.parse((await plat([...args, '--json'], { stdin: token })).out)).toEqual({ active: false });
  const refused = await plat([...args, token]);
  expect([refused.code, refused.out]).toEqual([EXIT_CODES.usage, '']);
  expect(refused.err).not.toContain(token);
});

/** Returns an access token of an app, and a function that revokes its consent. */
async function tokenFor({ appId: clientId, clientSecret, redirectUri }: TestApp) {
  const { baseUrl } = story.server;
  const oauth = new OAuth({ baseUrl, clientId, clientSecret, redirectUri, store: memoryStore() });
  const tenant = await story.server.createTenant();
  const pending = await oauth.authorizationUrl({ scopes: ['me:read'] });
  const callback = await decideConsent(pending.url, await story.server.signInAdmin(tenant.ownerId));
  const { key } = await oauth.exchange(callback, pending);
  const { value: token } = await oauth.credential(key).get();
  return { token, revoke: () => oauth.revoke(key) };
}
