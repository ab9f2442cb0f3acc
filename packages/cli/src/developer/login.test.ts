import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, fakeApi, type Received, refusal } from '../testing/fake-api.ts';
import { homeWith, LOGIN, loggedInTo } from '../testing/logged-in.ts';
import { emptyFolder, plat } from '../testing/plat.ts';

const CODES = {
  device_code: 'plat_dc_secret0123456789',
  user_code: 'BCDF-GHJK',
  verification_uri: 'http://fake/console/cli',
  verification_uri_complete: 'http://fake/console/cli?user_code=BCDF-GHJK',
  expires_in: 600,
  interval: 5,
};
const TOKEN = 'plat_dv_0123456789abcdefghij';
const ME = { object: 'developer', id: 'dev_1', email: 'ada@example.com', tenant_id: 'tnt_1' };
const GIVEN = { body: { access_token: TOKEN, token_type: 'Bearer', expires_in: 1 } };

/** Starts a server that answers polls with these responses in order, then with the token. */
function serverOf(polls: readonly Answer[], codes: object = {}) {
  let polled = 0;
  return fakeApi(({ method, path }: Received) => {
    if (path.endsWith('/device/code')) return { body: { ...CODES, ...codes } };
    if (path.endsWith('/device/token')) return polls[polled++] ?? GIVEN;
    return method === 'DELETE' ? { body: {} } : { body: ME };
  });
}

async function login(api: { readonly baseUrl: string }, more: Parameters<typeof plat>[1] = {}, args: string[] = []) {
  const waits: number[] = [];
  const HOME = emptyFolder();
  const ended = await plat(['login', ...args], {
    wait: async (ms) => void waits.push(ms / 1000),
    ...more,
    env: { HOME, PLAT_BASE_URL: api.baseUrl, ...more.env },
  });
  const file = () => JSON.parse(readFileSync(join(HOME, '.config/plat/credentials.json'), 'utf8'));
  return { ...ended, waits, file };
}

describe('plat login', () => {
  it('requests a code, polls at the given interval, and saves the token with its owner', async () => {
    const pending = refusal(400, 'AUTHORIZATION_PENDING');
    const api = await serverOf([pending, pending]);
    const { code, stdout, stderr, waits, file } = await login(api);
    expect([code, waits]).toEqual([0, [5, 5, 5]]);
    expect(api.received[0]).toMatchObject({ body: { client_name: expect.stringMatching(/^plat on ./) } });
    expect(api.received[1]).toMatchObject({
      path: '/developer/v1/device/token',
      body: { device_code: CODES.device_code },
    });
    expect(stdout).toContain('ada@example.com');
    expect(stderr).toMatch(
      /BCDF-GHJK:\n\n {4}http:\/\/fake\/console\/cli\?user_code=BCDF-GHJK\n\nWaiting .*10 minutes/,
    );
    expect(stdout + stderr).not.toMatch(/plat_d[vc]_/);
    const developer = { token: TOKEN, id: 'dev_1', email: 'ada@example.com', tenant_id: 'tnt_1' };
    const [profile] = Object.values(file().profiles);
    expect(profile).toEqual({ base_url: api.baseUrl, developer });
  });

  it('waits longer after SLOW_DOWN, and doubles the wait while the server does not answer', async () => {
    const api = await serverOf([refusal(400, 'SLOW_DOWN'), refusal(503, 'SERVICE_UNAVAILABLE'), refusal(502, 'X')]);
    expect((await login(api)).waits).toEqual([5, 10, 20, 40]);
  });

  it('never retries a poll: the second of two successful exchanges would end the first login', async () => {
    const api = await serverOf([refusal(500, 'INTERNAL_ERROR')]);
    const { waits } = await login(api);
    expect(api.received.filter(({ path }) => path.endsWith('/token'))).toHaveLength(waits.length);
  });

  it.each([
    ['ACCESS_DENIED', 3],
    ['EXPIRED_TOKEN', 3],
    ['INVALID_GRANT', 3],
  ])('ends with %s', async (code, exitCode) => {
    const ended = await login(await serverOf([refusal(400, code)]), {}, ['--json']);
    expect(ended.code).toBe(exitCode);
    expect(JSON.parse(ended.stderr).error.code).toBe(code);
    expect(ended.file).toThrow();
  });

  it('ends when the code has expired, although the server still reports a pending login', async () => {
    const pending = Array<Answer>(100).fill(refusal(400, 'AUTHORIZATION_PENDING'));
    const { code, waits } = await login(await serverOf(pending, { expires_in: 20 }));
    expect([code, waits]).toEqual([3, [5, 5, 5, 5]]);
  });

  it('ends the login when it cannot be saved', async () => {
    const HOME = emptyFolder();
    writeFileSync(join(HOME, '.config'), '');
    const api = await serverOf([]);
    const { code, stderr } = await login(api, { env: { HOME } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cannot be written.*XDG_CONFIG_HOME/s)]);
    expect(api.received.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/developer/v1/tokens/current',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  });

  it('ends the login that it replaces', async () => {
    const api = await serverOf([]);
    const env = loggedInTo(api);
    expect((await login(api, { env })).code).toBe(0);
    expect(api.received.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { authorization: `Bearer ${LOGIN.token}` },
    });
  });

  it('needs a server, and ignores one that only a found file names', async () => {
    expect(await plat(['login'], { env: { HOME: emptyFolder() } })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/PLAT_BASE_URL.*--base-url/s),
    });
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.plat'));
    const sandbox = { base_url: 'https://evil.example', api_key: 'plat_test_x' };
    writeFileSync(join(cwd, '.plat', 'sandbox.json'), JSON.stringify(sandbox));
    expect(await plat(['login'], { cwd, env: { HOME: emptyFolder() } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not this machine'),
    });
  });
});

describe.skipIf(process.platform === 'win32' || process.platform === 'darwin')('the page of a login', () => {
  /** Creates a folder with an `xdg-open` that records its arguments. */
  function opener() {
    const folder = emptyFolder();
    const called = join(folder, 'called');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$@" > ${called}.part && mv ${called}.part ${called}\n`, {
      mode: 0o755,
    });
    const read = () => readFileSync(called, 'utf8').trim();
    return { env: { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' }, read };
  }

  it('is opened at a terminal that has a screen', async () => {
    const { env, read } = opener();
    const { stderr } = await login(await serverOf([]), { env, columns: 80 });
    expect(stderr).toContain('Opened in your browser');
    await expect.poll(read).toBe(CODES.verification_uri_complete);
  });

  it.each<[string, Parameters<typeof plat>[1], string[], object]>([
    ['without a terminal', {}, [], {}],
    ['with --no-browser', { columns: 80 }, ['--no-browser'], {}],
    ['far from the screen', { columns: 80, env: { SSH_CONNECTION: '1' } }, [], {}],
    ['where there is no screen', { columns: 80, env: { DISPLAY: '' } }, [], {}],
    ['where nothing can open it', { columns: 80, env: { PATH: '/nowhere' } }, [], {}],
    ['when it is no page', { columns: 80 }, [], { verification_uri_complete: 'file:///etc/passwd' }],
  ])('is not opened %s', async (_, more, args, codes) => {
    const { env } = opener();
    const { code, stderr } = await login(await serverOf([], codes), { ...more, env: { ...env, ...more?.env } }, args);
    expect(code).toBe(0);
    expect(stderr).not.toContain('opened');
  });
});

describe('plat logout', () => {
  it('removes the login even when the server refuses, and reports the refusal', async () => {
    const api = await fakeApi(() => refusal(403, 'TENANT_SUSPENDED'));
    const env = loggedInTo(api, { api_key: 'plat_test_kept' });
    const { code, stderr } = await plat(['logout'], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining('removed from this machine')]);
    const { profiles } = JSON.parse(readFileSync(join(env['HOME'] ?? '', '.config/plat/credentials.json'), 'utf8'));
    expect(profiles).toEqual({ it: { base_url: api.baseUrl, api_key: 'plat_test_kept' } });
  });

  it('without a login is refused', async () => {
    const env = { HOME: emptyFolder(), PLAT_BASE_URL: 'http://127.0.0.1:1' };
    expect(await plat(['logout', '--json'], { env })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('NOT_LOGGED_IN'),
    });
  });
});

describe('plat auth token', () => {
  it('prints the token alone, without a request', async () => {
    const api = await fakeApi(() => refusal(500, 'INTERNAL_ERROR'));
    const env = loggedInTo(api);
    expect(await plat(['auth', 'token'], { env })).toMatchObject({ code: 0, stdout: `${LOGIN.token}\n`, stderr: '' });
    expect(api.received).toEqual([]);
  });

  it('with --json prints its server, too', async () => {
    const api = await fakeApi(() => refusal(500, 'INTERNAL_ERROR'));
    const { stdout } = await plat(['auth', 'token', '--json'], { env: loggedInTo(api) });
    expect(JSON.parse(stdout)).toEqual({ object: 'login', base_url: api.baseUrl, token: LOGIN.token });
  });

  it('of another server is not printed', async () => {
    const env = { ...loggedInTo({ baseUrl: 'http://127.0.0.1:1' }), PLAT_BASE_URL: 'http://127.0.0.1:2' };
    expect(await plat(['auth', 'token'], { env })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('not logged in to http://127.0.0.1:2'),
    });
  });
});

describe('plat keys mint', () => {
  it("saves the key to the sandbox's file, where the next start of the sandbox would replace it otherwise", async () => {
    const key = { object: 'api_key', id: 'key_1', tenant_id: 'tnt_1', api_key: 'plat_test_once' };
    const api = await fakeApi(() => ({ status: 201, body: key }));
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.plat'));
    const sandbox = { base_url: api.baseUrl, tenant_id: 'tnt_1', api_key: 'plat_test_before' };
    writeFileSync(join(cwd, '.plat', 'sandbox.json'), JSON.stringify(sandbox));
    const { code, stderr } = await plat(['keys', 'mint'], { env: loggedInTo(api), cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining(join(cwd, '.plat', 'sandbox.json'))]);
    const kept = JSON.parse(readFileSync(join(cwd, '.plat', 'sandbox.json'), 'utf8'));
    expect(kept).toEqual({ ...sandbox, api_key: 'plat_test_once' });
  });

  it('leaves the sandbox file of another tenant unchanged, and saves to the profile that is named', async () => {
    const key = { object: 'api_key', id: 'key_1', tenant_id: 'tnt_1', api_key: 'plat_test_once' };
    const api = await fakeApi(() => ({ status: 201, body: key }));
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.plat'));
    const file = join(cwd, '.plat', 'sandbox.json');
    const sandbox = JSON.stringify({ base_url: api.baseUrl, tenant_id: 'tnt_2', api_key: 'plat_test_other' });
    writeFileSync(file, sandbox);
    const profile = { base_url: api.baseUrl, developer: LOGIN };
    const env = { ...homeWith({ version: 1, current: 'a', profiles: { a: profile, b: profile } }) };
    const onServer = { env: { ...env, PLAT_BASE_URL: api.baseUrl }, cwd };
    expect((await plat(['keys', 'mint', '--profile', 'b'], onServer)).code).toBe(0);
    expect((await plat(['keys', 'mint', '--save', '--profile', 'b'], onServer)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(sandbox);
    const { profiles } = JSON.parse(readFileSync(join(env['HOME'] ?? '', '.config/plat/credentials.json'), 'utf8'));
    expect(profiles).toEqual({ a: profile, b: { ...profile, api_key: 'plat_test_once' } });
  });

  it('asks on a terminal before it replaces a key, and names the key', async () => {
    const key = {
      object: 'api_key',
      id: 'key_1',
      tenant_id: 'tnt_1',
      hint: 'plat_test_…abcd',
      api_key: 'plat_test_once',
    };
    const api = await fakeApi(() => ({ body: key }));
    const refused = await plat(['keys', 'mint'], { env: loggedInTo(api), stdin: 'n\n', columns: 80 });
    expect([refused.code, api.received.map(({ method }) => method)]).toEqual([10, ['GET']]);
    expect(refused.stderr).toContain(
      'Replace the API key "plat_test_…abcd"? Without --expires-in programs that use the',
    );
    const unreadable = await fakeApi(() => refusal(400, 'INVALID_REQUEST'));
    expect((await plat(['keys', 'mint'], { env: loggedInTo(unreadable), stdin: 'n\n', columns: 80 })).code).toBe(10);
    const first = await fakeApi(({ method }) =>
      method === 'GET'
        ? { status: 404, body: { code: 'API_KEY_NOT_FOUND', message: 'none' } }
        : { status: 201, body: key },
    );
    expect((await plat(['keys', 'mint'], { env: loggedInTo(first), columns: 80 })).code).toBe(0);
  });

  it('is refused with --fields that leave the key out, unless the key is saved', async () => {
    const key = { object: 'api_key', id: 'key_1', tenant_id: 'tnt_1', api_key: 'plat_test_once' };
    const api = await fakeApi(() => ({ status: 201, body: key }));
    const refused = await plat(['keys', 'mint', '--fields', 'id'], { env: loggedInTo(api) });
    expect([refused.code, api.received.length]).toEqual([2, 0]);
    expect((await plat(['keys', 'mint', '--fields', 'id', '--save'], { env: loggedInTo(api) })).code).toBe(0);
  });
});

describe('plat keys mint --save', () => {
  it('prints the key when it cannot be saved, since it is shown only once', async () => {
    const key = { object: 'api_key', id: 'key_1', tenant_id: 'tnt_1', api_key: 'plat_test_once' };
    let home = '';
    const api = await fakeApi(() => {
      // The folder disappears while the key is minted.
      rmSync(join(home, '.config'), { recursive: true });
      writeFileSync(join(home, '.config'), '');
      return { status: 201, body: key };
    });
    const env = loggedInTo(api);
    home = env['HOME'] ?? '';
    const { code, stdout, stderr } = await plat(['keys', 'mint', '--save'], { env });
    expect([code, stdout]).toEqual([1, expect.stringContaining('plat_test_once')]);
    expect(stderr).not.toContain('plat_test_once');
  });
});
