import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliError } from '../errors/cli-error.ts';
import { homeWith, LOGIN, loggedInTo } from '../testing/logged-in.ts';
import { emptyFolder } from '../testing/plat.ts';
import { findConnection, findLogin } from './connection.ts';

const noFlags = {
  json: false,
  output: 'table' as const,
  fields: undefined,
  wide: false,
  baseUrl: undefined,
  apiKeyFile: undefined,
  profile: undefined,
  live: false,
};
const SANDBOX = { base_url: 'http://127.0.0.1:4010', tenant_id: 'tnt_1', api_key: 'plat_test_sandbox' };

function folderWithSandbox(content: unknown = SANDBOX): string {
  const folder = emptyFolder();
  mkdirSync(join(folder, '.plat'));
  writeFileSync(join(folder, '.plat', 'sandbox.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

const find = (cwd: string, env: Record<string, string> = {}, flags: Partial<typeof noFlags> | object = {}) =>
  findConnection(
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env, cwd },
    { ...noFlags, ...flags },
  );

const refusalOf = (promise: Promise<unknown>): Promise<CliError> =>
  promise.then(
    () => {
      throw new Error('it was not refused');
    },
    (error) => error,
  );

describe('the source of the server and the key', () => {
  it('uses the sandbox of the current folder', async () => {
    const connection = await find(folderWithSandbox());
    expect(connection).toMatchObject({ baseUrl: SANDBOX.base_url, credential: SANDBOX.api_key, note: null });
  });

  it('finds the sandbox from a folder far below it', async () => {
    const folder = join(folderWithSandbox(), 'packages', 'app');
    mkdirSync(folder, { recursive: true });
    expect(await find(folder)).toMatchObject({ credential: SANDBOX.api_key });
  });

  it('searches only PLAT_DATA_DIR when it is set', async () => {
    const dataDir = join(folderWithSandbox(), '.plat');
    expect(await find(emptyFolder(), { PLAT_DATA_DIR: dataDir })).toMatchObject({ credential: SANDBOX.api_key });
    expect(await refusalOf(find(folderWithSandbox(), { PLAT_DATA_DIR: emptyFolder() }))).toMatchObject({
      code: 'NO_API_KEY',
    });
  });

  it('prefers the environment to the sandbox, with a note', async () => {
    const connection = await find(folderWithSandbox(), { PLAT_API_KEY: ' plat_test_other\n' });
    expect(connection).toMatchObject({ baseUrl: SANDBOX.base_url, credential: 'plat_test_other' });
    expect(connection.note).toContain('using the key from PLAT_API_KEY');
  });

  it('prefers options to the environment', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'key'), 'plat_test_file\n');
    const env = { PLAT_BASE_URL: 'https://env.example', PLAT_API_KEY: 'plat_test_env' };
    const connection = await find(folder, env, { baseUrl: 'https://flag.example', apiKeyFile: 'key' });
    expect(connection).toMatchObject({ baseUrl: 'https://flag.example', credential: 'plat_test_file' });
  });

  it('treats an empty variable as unset', async () => {
    const connection = await find(folderWithSandbox(), { PLAT_API_KEY: '', PLAT_BASE_URL: ' ', PLAT_DATA_DIR: '' });
    expect(connection).toMatchObject({ baseUrl: SANDBOX.base_url, credential: SANDBOX.api_key });
  });

  it.each(['https://api.example.com', 'http://127.0.0.1:4011'])(
    "never sends the sandbox's key to another server: %s",
    async (PLAT_BASE_URL) => {
      const error = await refusalOf(find(folderWithSandbox(), { PLAT_BASE_URL }));
      expect(error).toMatchObject({ code: 'NO_API_KEY', exitCode: 4 });
    },
  );

  it("sends the sandbox's key where PLAT_BASE_URL names the same server", async () => {
    const connection = await find(folderWithSandbox(), { PLAT_BASE_URL: `${SANDBOX.base_url}/` });
    expect(connection.credential).toBe(SANDBOX.api_key);
  });

  it('never sends another key to a server that only a found file names', async () => {
    const folder = folderWithSandbox({ ...SANDBOX, base_url: 'https://evil.example' });
    expect(await refusalOf(find(folder, { PLAT_API_KEY: 'plat_live_mine' }))).toMatchObject({ code: 'NO_BASE_URL' });
    const lookalike = folderWithSandbox({ ...SANDBOX, base_url: 'http://127.0.0.1.evil.example' });
    expect(await refusalOf(find(lookalike, { PLAT_API_KEY: 'plat_live_mine' }))).toMatchObject({ code: 'NO_BASE_URL' });
  });

  it.each(['junk', 'ftp://x', 'https://user:secret@x', 'https://x/v1'])(
    'refuses the base URL %s and names its source, before it requires a key',
    async (baseUrl) => {
      const ofOption = await refusalOf(find(emptyFolder(), {}, { baseUrl }));
      expect(ofOption).toMatchObject({ code: 'USAGE', exitCode: 2, message: expect.stringMatching(/^--base-url /) });
      const ofVariable = await refusalOf(find(emptyFolder(), { PLAT_BASE_URL: baseUrl }));
      expect(ofVariable).toMatchObject({ code: 'USAGE', message: expect.stringMatching(/^PLAT_BASE_URL /) });
      expect(ofOption.message).not.toContain('secret');
    },
  );

  it('refuses an empty --base-url', async () => {
    expect(await refusalOf(find(folderWithSandbox(), {}, { baseUrl: '' }))).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--base-url is empty'),
    });
  });

  it('shows the next step without any configuration', async () => {
    const error = await refusalOf(find(emptyFolder()));
    expect(error).toMatchObject({ code: 'NO_API_KEY', exitCode: 4 });
    expect(error.advice.next).toMatch(/plat dev \(in a clone.*npm start\).*PLAT_API_KEY/);
  });

  it.each([
    ['is no JSON', '{', /not the JSON/],
    ['has no key', { base_url: SANDBOX.base_url }, /no base_url and api_key/],
  ])('reports a file that %s', async (_, content, hint) => {
    expect((await refusalOf(find(folderWithSandbox(content)))).advice.hint).toMatch(hint);
  });

  it('refuses a key file that is empty or missing', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'empty'), '\n');
    expect(await refusalOf(find(folder, {}, { apiKeyFile: 'empty' }))).toMatchObject({
      code: 'NO_API_KEY',
      message: 'There is no API key in empty (--api-key-file): it is empty',
      advice: {},
    });
    expect(await refusalOf(find(folder, {}, { apiKeyFile: 'gone' }))).toMatchObject({ code: 'UNREADABLE_INPUT' });
  });
});

describe('the profile', () => {
  const server = { baseUrl: 'https://api.example' };
  const io = (cwd: string, env: Record<string, string>) => ({
    ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    ...{ env, cwd },
  });

  it('supplies the server and the key when nothing else does', async () => {
    const env = loggedInTo(server, { api_key: 'plat_test_kept' });
    expect(await find(emptyFolder(), env)).toMatchObject({ baseUrl: server.baseUrl, credential: 'plat_test_kept' });
    expect(await find(folderWithSandbox(), env)).toMatchObject({ credential: SANDBOX.api_key });
    expect(await find(emptyFolder(), { ...env, PLAT_API_KEY: 'plat_test_env' })).toMatchObject({
      baseUrl: server.baseUrl,
      credential: 'plat_test_env',
    });
  });

  it('sends its key to its own server only', async () => {
    const env = { ...loggedInTo(server, { api_key: 'plat_test_kept' }), PLAT_BASE_URL: 'https://other.example' };
    expect(await refusalOf(find(emptyFolder(), env))).toMatchObject({ code: 'NO_API_KEY' });
  });

  it('with another key for the sandbox is mentioned in a note', async () => {
    const env = loggedInTo({ baseUrl: SANDBOX.base_url }, { api_key: 'plat_test_kept' });
    expect((await find(folderWithSandbox(), env)).note).toContain('the profile it has another one');
  });

  it('without a key shows how to get one', async () => {
    const { advice } = await refusalOf(find(emptyFolder(), loggedInTo(server)));
    expect(advice.next).toContain('plat keys mint --save --profile it');
  });

  it('that is named, without a key or a login, shows how it gets both', async () => {
    const env = homeWith({ version: 1, current: 'it', profiles: { bare: { base_url: server.baseUrl } } });
    const refusal = await refusalOf(find(folderWithSandbox(), env, { profile: 'bare' }));
    expect(refusal.message).toBe('The profile bare has no API key and no login');
    expect(refusal.advice.next).toMatch(/^plat login --profile bare, then plat keys mint --save --profile bare/);
    const login = findLogin(io(emptyFolder(), env), { ...noFlags, profile: 'bare' });
    expect((await refusalOf(login)).advice.next).toBe('plat login --profile bare');
  });

  it('sends its login to its own server only', async () => {
    const env = loggedInTo(server);
    const login = (cwd: string, more: Record<string, string> = {}) => findLogin(io(cwd, { ...env, ...more }), noFlags);
    expect(await login(emptyFolder())).toMatchObject({ kind: 'login', credential: LOGIN.token });
    expect(await login(emptyFolder(), { PLAT_BASE_URL: `${server.baseUrl}/` })).toMatchObject({
      credential: LOGIN.token,
    });
    expect(await refusalOf(login(emptyFolder(), { PLAT_BASE_URL: 'https://other.example' }))).toMatchObject({
      code: 'NOT_LOGGED_IN',
      exitCode: 4,
    });
    // In a clone, its running sandbox is used.
    expect(await refusalOf(login(folderWithSandbox()))).toMatchObject({ code: 'NOT_LOGGED_IN' });
  });

  describe('of several logins', () => {
    const profiles = {
      work: { base_url: server.baseUrl, developer: { ...LOGIN, token: 'plat_dv_work' } },
      own: { base_url: server.baseUrl, developer: { ...LOGIN, token: 'plat_dv_own' } },
      other: { base_url: 'https://other.example', developer: { ...LOGIN, token: 'plat_dv_other' } },
    };
    const login = (profile?: string, PLAT_BASE_URL = '') => {
      const env = { ...homeWith({ version: 1, current: 'own', profiles }), PLAT_BASE_URL };
      return findLogin(io(emptyFolder(), env), { ...noFlags, profile });
    };

    it.each([
      [undefined, '', 'plat_dv_own', server.baseUrl],
      ['work', '', 'plat_dv_work', server.baseUrl],
      ['other', '', 'plat_dv_other', 'https://other.example'],
      [undefined, server.baseUrl, 'plat_dv_own', server.baseUrl],
      ['work', server.baseUrl, 'plat_dv_work', server.baseUrl],
    ])('--profile %s with PLAT_BASE_URL %j selects %s', async (profile, baseUrl, credential, expected) => {
      expect(await login(profile, baseUrl)).toMatchObject({ credential, baseUrl: expected });
    });

    it('none is used in place of the one that is named', async () => {
      expect(await refusalOf(login('wrok', server.baseUrl))).toMatchObject({ code: 'USAGE' });
      expect(await refusalOf(login('other', server.baseUrl))).toMatchObject({ code: 'NOT_LOGGED_IN' });
    });
  });
});
