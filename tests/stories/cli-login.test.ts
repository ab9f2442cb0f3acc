import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { EXIT_CODES, run } from '@plat/cli';
import { LIMITS } from '@plat/contract';
import { beforeEach, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { answerLogin, openApproval, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

let now = Date.parse('2026-03-01T00:00:00.000Z');
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
const SECRET = /plat_(?:dv|dc|test|cs)_\w{20,}/g;

let home: string;
let developer: SignedInDeveloper;
/** Everything that the commands of the test have printed. */
let printed: string;
beforeEach(async () => {
  home = tempFolder('cli-home').path;
  developer = await signedInDeveloper(story.server);
  printed = '';
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `plat` in this process. Calls `waited` for each wait, with the time by which the server's clock has advanced.
 */
async function plat(
  args: readonly string[],
  { cwd = home, waited }: { readonly cwd?: string; readonly waited?: (shown: string) => Promise<unknown> } = {},
): Promise<Ended> {
  const [stdout, stderr] = [capture(), capture()];
  const code = await run(args, {
    stdin: new PassThrough().end(),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { HOME: home, ...(cwd === home ? { PLAT_BASE_URL: story.server.baseUrl } : {}) },
    cwd,
    async wait(ms) {
      now += ms;
      await waited?.(stdout.text() + stderr.text());
    },
  });
  printed += stdout.text() + stderr.text();
  return { code, out: stdout.text(), err: stderr.text() };
}

function capture() {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  stream.on('data', (part) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString('utf8') };
}

/** Acts as a developer who reads the code in the terminal. */
const answers =
  (answer: 'approve' | 'deny', who = developer) =>
  (shown: string) =>
    answerLogin(story.server, who.session, codeIn(shown), answer);

function codeIn(shown: string): string {
  return /\b([B-Z]{4}-[B-Z]{4})\b/.exec(shown)?.[1] ?? '';
}

async function json(...args: string[]) {
  const { code, out, err } = await plat([...args, '--json']);
  expect([code, err], args.join(' ')).toEqual([EXIT_CODES.ok, '']);
  return JSON.parse(out);
}

const logIn = () => plat(['login'], { waited: answers('approve') });
const credentialsFile = () => join(home, '.config', 'plat', 'credentials.json');

test('a developer logs in by approving the code that the terminal shows, and out again', async () => {
  const loggedIn = await logIn();
  expect(loggedIn.code).toBe(EXIT_CODES.ok);
  expect(loggedIn.err).toContain(`${story.server.baseUrl}/console/cli?user_code=${codeIn(loggedIn.err)}`);
  expect(loggedIn.out).toContain(developer.email);
  expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600);
  expect(await json('auth', 'status')).toMatchObject({ object: 'developer', id: developer.id });
  expect(await json('auth', 'list')).toMatchObject({ data: [{ object: 'developer_token' }] });

  const [token = ''] = readFileSync(credentialsFile(), 'utf8').match(SECRET) ?? [];
  expect((await plat(['logout'])).code).toBe(EXIT_CODES.ok);
  expect(readFileSync(credentialsFile(), 'utf8')).not.toContain('plat_dv_');
  expectRefusal(await apiOf(story.server.baseUrl, token)('/developer/v1/me'), 'INVALID_TOKEN');
  expect(await plat(['auth', 'status'])).toMatchObject({
    code: EXIT_CODES.auth,
    err: expect.stringContaining('next: plat login'),
  });
  expect(printed).not.toMatch(SECRET);
});

test('a login polls until the developer has answered, and then ends', async () => {
  let waits = 0;
  const slow = await plat(['login'], {
    waited: async (shown) => ++waits === 3 && (await answers('approve')(shown)),
  });
  expect([slow.code, waits]).toEqual([EXIT_CODES.ok, 3]);

  const denied = await plat(['login', '--json'], { waited: answers('deny') });
  expect(denied.code).toBe(EXIT_CODES.refused);
  expect(JSON.parse(denied.err).error).toMatchObject({
    code: 'ACCESS_DENIED',
    next: expect.stringContaining('plat login'),
  });
  const late = await plat(['login', '--json']);
  expect(JSON.parse(late.err)).toMatchObject({ error: { code: 'EXPIRED_TOKEN' }, exit_code: EXIT_CODES.refused });
});

test('with --json a login is a line with the code and a line with the developer', async () => {
  const { code, out, err } = await plat(['login', '--json'], { waited: answers('approve') });
  expect([code, err]).toEqual([EXIT_CODES.ok, '']);
  const [asked, who] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(asked).toEqual({
    object: 'device_login',
    user_code: codeIn(out),
    verification_uri: `${story.server.baseUrl}/console/cli`,
    verification_uri_complete: `${story.server.baseUrl}/console/cli?user_code=${codeIn(out)}`,
    expires_in: 600,
  });
  expect(who).toMatchObject({ object: 'developer', email: developer.email });
  expect(printed).not.toMatch(SECRET);
});

test('a second login replaces the first, which is ended', async () => {
  await logIn();
  const [first = ''] = readFileSync(credentialsFile(), 'utf8').match(SECRET) ?? [];
  await logIn();
  expectRefusal(await apiOf(story.server.baseUrl, first)('/developer/v1/me'), 'INVALID_TOKEN');
  expect((await json('auth', 'list')).data).toHaveLength(1);
});

test('a command whose login was ended elsewhere reports it, and how to log in again', async () => {
  await logIn();
  const [{ id }] = (await json('auth', 'list')).data;
  expect((await plat(['auth', 'revoke', id])).code).toBe(EXIT_CODES.confirmation);
  expect((await plat(['auth', 'revoke', id, '--yes'])).code).toBe(EXIT_CODES.ok);
  const { code, err } = await plat(['keys', 'get']);
  expect(code).toBe(EXIT_CODES.auth);
  expect(err).toMatch(/does not accept the login.*\n.*Log in again: plat login/);
  expect((await plat(['logout'])).code).toBe(EXIT_CODES.ok);
});

test('a key is minted, shown once, and revoked', async () => {
  await logIn();
  const minted = await plat(['keys', 'mint', '--scopes', 'me:read,clients:read']);
  const [key = '', ...more] = minted.out.match(SECRET) ?? [];
  expect([minted.code, more]).toEqual([EXIT_CODES.ok, []]);
  expect(minted.err).toContain('shown only this once');
  expect((await apiOf(story.server.baseUrl, key)('/v1/me')).body.scopes).toEqual(['me:read', 'clients:read']);
  expectRefusal(await apiOf(story.server.baseUrl, developer.apiKey)('/v1/me'), 'INVALID_TOKEN');
  expect(await json('keys', 'get')).toMatchObject({ hint: `plat_test_...${key.slice(-4)}` });
  const rotated = await plat(['keys', 'mint', '--expires-in', '60']);
  expect(rotated.err).toMatch(new RegExp(`The previous key plat_test_\\.\\.\\.${key.slice(-4)} works until 20`));
  expect((await apiOf(story.server.baseUrl, key)('/v1/me')).status).toBe(200);
  expect((await plat(['keys', 'revoke-previous'])).code).toBe(EXIT_CODES.confirmation);
  expect(await json('keys', 'revoke-previous', '--yes')).toMatchObject({ object: 'api_key', previous_key: null });
  expectRefusal(await apiOf(story.server.baseUrl, key)('/v1/me'), 'INVALID_TOKEN');
  expect((await plat(['keys', 'revoke'])).code).toBe(EXIT_CODES.confirmation);
  expect((await plat(['keys', 'revoke', '--yes'])).code).toBe(EXIT_CODES.ok);
  expect(await plat(['keys', 'get'])).toMatchObject({
    code: EXIT_CODES.notFound,
    err: expect.stringContaining('plat keys mint'),
  });
});

test('a key that is saved is not printed, and other commands use it for /v1', async () => {
  await logIn();
  expect(await json('keys', 'mint', '--save')).toMatchObject({ object: 'api_key', saved_to: credentialsFile() });
  expect(await json('me')).toMatchObject({ tenant_id: developer.tenantId });
  expect((await json('clients', 'list')).data).toHaveLength(2);
  expect(printed).not.toMatch(SECRET);
});

test('apps are registered and changed, get a new secret, and are submitted for review', async () => {
  await logIn();
  const uris = 'https://a.example/cb,https://b.example/cb';
  const args = ['--name', 'Sync', '--redirect-uris', uris, '--scopes', 'clients:read'];
  const app = await json('apps', 'register', ...args);
  expect(app).toMatchObject({ redirect_uris: uris.split(','), client_secret: expect.stringMatching(/^plat_cs_/) });
  expect(await json('apps', 'update', app.id, '--website', 'https://a.example')).toMatchObject({
    website: 'https://a.example',
  });
  expect((await json('apps', 'update', app.id, '--no-website')).website).toBeNull();
  expect((await plat(['apps', 'update', app.id])).code).toBe(EXIT_CODES.usage);
  expect((await json('apps', 'rotate-secret', app.id, '--expires-in', '60')).client_secret).not.toBe(app.client_secret);
  expect((await json('apps', 'request-verification', app.id)).verification).toBe('pending');
  expect(await json('apps', 'get', app.id)).not.toHaveProperty('client_secret');
  expect((await plat(['apps', 'list'])).out).toMatch(/^ID +NAME +VERIFICATION .*\napp_\w+ +Sync +pending/);
  expect((await plat(['apps', 'get', 'app_1'])).code).toBe(EXIT_CODES.notFound);
  const url = ['--url', 'https://app.example/events', '--events', '*'];
  const endpoint = await json('apps', 'webhooks', 'endpoints', 'create', app.id, ...url);
  await json('apps', 'rotate-secret', app.id);
  const trace = await plat(['apps', 'trace', 'get', app.id, endpoint.id]);
  expect(trace.out).toMatch(/event +app\.secret_rotated[\s\S]*attempt +1 to https:\/\/app\.example\/events/);
  expect(await json('apps', 'trace', 'get', app.id, endpoint.id)).toMatchObject({ subject: { id: endpoint.id } });
  expect((await plat(['apps', 'trace', 'get', app.id, 'evt_1'])).code).toBe(EXIT_CODES.notFound);
  expect((await plat(['consents', 'list'])).err).toBe('None found.\n');
});

test('a list with filters is printed up to its limit, and one without filters as a whole', async () => {
  await logIn();
  const fields = ['--redirect-uris', 'https://app.example/callback', '--scopes', 'clients:read'];
  const { id } = await json('apps', 'register', '--name', 'Sync', ...fields);
  const list = ['apps', 'webhooks', 'endpoints', 'list', id];
  const made: string[] = [];
  for (const n of [1, 2, 3]) {
    now += 1000;
    const given = ['--url', `https://app.example/${n}`, '--events', '*'];
    made.unshift((await json('apps', 'webhooks', 'endpoints', 'create', id, ...given)).id);
  }
  const ids = ({ data }: { data: { id: string }[] }) => data.map((each) => each.id);
  const page = await plat([...list, '--limit', '2']);
  const next = `plat ${list.join(' ')} --limit 2 --starting-after ${made[1]}`;
  expect(page.err).toBe(`There are more (or add --all): ${next}\n`);
  expect(ids(await json(...list, '--limit', '2', '--starting-after', made[1] ?? ''))).toEqual([made[2]]);
  const all = await json(...list, '--all');
  expect([ids(all), all.has_more]).toEqual([made, false]);
  expect((await plat([...list, '--all', '--limit', '2'])).code).toBe(EXIT_CODES.usage);

  for (let i = 0; i < LIMITS.page.default; i++) await story.server.mintDeveloperToken(developer.tenantId);
  const logins = await json('auth', 'list');
  expect(logins).toMatchObject({ object: 'list', has_more: false, url: '/developer/v1/tokens' });
  expect(logins.data).toHaveLength(LIMITS.page.default + 1);
});

test('apps are disabled, enabled and deleted; disabling and deleting need a confirmation', async () => {
  await logIn();
  const args = ['--name', 'Sync', '--redirect-uris', 'https://a.example/cb', '--scopes', 'clients:read'];
  const { id } = await json('apps', 'register', ...args);
  for (const verb of ['disable', 'delete']) {
    const { code, err } = await plat(['apps', verb, id]);
    expect([code, err]).toEqual([EXIT_CODES.confirmation, expect.stringContaining('--yes')]);
  }
  expect((await json('apps', 'disable', id, '--yes')).disabled_by).toBe('developer');
  expect((await json('apps', 'enable', id)).disabled_by).toBeNull();
  expect(await json('apps', 'delete', id, '--yes')).toEqual({ object: 'app', id, deleted: true });
  expect((await plat(['apps', 'get', id])).code).toBe(EXIT_CODES.notFound);
});

test('the sandbox is shown, and reset after a confirmation', async () => {
  await logIn();
  await apiOf(story.server.baseUrl, developer.apiKey)('/v1/clients', { body: { name: 'Acme' } });
  expect(await json('sandbox', 'get')).toMatchObject({ tenant_id: developer.tenantId });
  const { code, err } = await plat(['sandbox', 'reset']);
  expect([code, err]).toEqual([EXIT_CODES.confirmation, expect.stringContaining('--yes')]);
  const count = async () => {
    const { body } = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/clients');
    return body.data.length;
  };
  expect(await count()).toBe(3);
  expect((await plat(['sandbox', 'reset', '--yes'])).code).toBe(EXIT_CODES.ok);
  expect(await count()).toBe(2);
});

test('in a clone, commands use the running sandbox, and the sandbox file stores the key that is minted for it', async () => {
  const clone = tempFolder('cli-clone').path;
  mkdirSync(join(clone, '.plat'));
  const file = join(clone, '.plat', 'sandbox.json');
  const content = {
    base_url: story.server.baseUrl,
    tenant_id: developer.tenantId,
    api_key: developer.apiKey,
    developer_email: developer.email,
  };
  writeFileSync(file, JSON.stringify(content));
  const { err } = await plat(['login'], { cwd: clone, waited: answers('approve') });
  expect(err).toContain(`sign in as ${developer.email}`);
  expect(err).toContain(`${story.server.baseUrl}/_dev/mail`);

  const shown = await plat(['keys', 'mint'], { cwd: clone });
  expect(shown.err).toContain(file);
  expect((await plat(['me'], { cwd: clone })).code).toBe(EXIT_CODES.ok);
  expect((await plat(['keys', 'mint', '--save'], { cwd: clone })).out).toContain(file);
  expect((await plat(['me'], { cwd: clone })).code).toBe(EXIT_CODES.ok);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...content, api_key: expect.any(String) });
});

test('a process without a terminal does not read stdin, and prints no secret', async () => {
  const env = { HOME: home, PLAT_BASE_URL: story.server.baseUrl };
  const process = spawnNode('packages/cli/src/main.ts', { args: ['login'], env, cwd: home });
  process.child.stdin.end();
  const [, code = ''] = await process.waitFor(/user_code=(\S+)/);
  expect((await openApproval(story.server, developer.session, `?user_code=${code}`)).text).toContain('plat on ');
  await answerLogin(story.server, developer.session, code);
  expect(await process.exited).toEqual({ code: 0, signal: null });
  expect(process.stdout()).toContain(developer.email);
  const minted = spawnNode('packages/cli/src/main.ts', { args: ['keys', 'mint', '--save', '--json'], env, cwd: home });
  expect(await minted.exited).toEqual({ code: 0, signal: null });
  for (const { stdout, stderr } of [process, minted]) expect(stdout() + stderr()).not.toMatch(SECRET);
});
