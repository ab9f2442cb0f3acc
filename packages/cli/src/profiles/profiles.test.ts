import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { homeWith } from '../testing/logged-in.ts';
import { emptyFolder, KEY, plat, platProcess } from '../testing/plat.ts';

const OTHER = 'plat_test_other';
const ME = { object: 'me', tenant_id: 'tnt_1', credential_type: 'api_key', scopes: [] };

/** Starts two servers with a profile each; `one` is the current profile. */
async function twoServers() {
  const [one, two] = [await fakeApi(() => ({ body: ME })), await fakeApi(() => ({ body: ME }))];
  const profiles = {
    one: { base_url: one.baseUrl, api_key: KEY },
    two: { base_url: two.baseUrl, api_key: OTHER },
  };
  return { one, two, env: homeWith({ version: 1, current: 'one', profiles }) };
}

describe('plat profile', () => {
  it('adds a profile with a key from stdin in a private file, and never shows the key', async () => {
    const env = { HOME: emptyFolder() };
    const added = await plat(
      ['profile', 'add', 'staging', '--base-url', 'https://staging.example.com', '--api-key-file', '-', '--json'],
      { env, stdin: `${KEY}\n` },
    );
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(JSON.parse(added.stdout)).toEqual({
      object: 'profile',
      name: 'staging',
      current: true,
      base_url: 'https://staging.example.com',
      api_key: 'test',
      login: null,
    });
    const path = join(env.HOME, '.config', 'plat', 'credentials.json');
    expect(JSON.parse(readFileSync(path, 'utf8')).profiles.staging.api_key).toBe(KEY);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const listed = await plat(['profile', 'list'], { env });
    expect(listed.stdout).toMatch(/^staging +true +https:\/\/staging\.example\.com +test +-$/m);
    expect(added.stdout + listed.stdout + listed.stderr).not.toContain(KEY);
  });

  it('keeps the current profile when another one is added or removed, unless it is told to use it', async () => {
    const { env } = await twoServers();
    const current = async () =>
      JSON.parse((await plat(['profile', 'list', '--json'], { env })).stdout).data.find(
        ({ current }: { current: boolean }) => current,
      )?.name;
    const add = (name: string, ...more: string[]) =>
      plat(['profile', 'add', name, '--base-url', 'https://example.com', ...more], { env });
    await add('three');
    expect(await current()).toBe('one');
    await plat(['profile', 'remove', 'two', '--yes'], { env });
    expect(await current()).toBe('one');
    await add('four', '--use');
    expect(await current()).toBe('four');
  });

  it('gives a name to one of several processes that add it at once', async () => {
    const env = { HOME: emptyFolder() };
    const add = (n: number) => plat(['profile', 'add', 'mine', '--base-url', `https://${n}.example`], { env });
    const codes = (await Promise.all([1, 2, 3].map(add))).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 2, 2]);
  });

  it('makes another profile the current one', async () => {
    const { one, two, env } = await twoServers();
    expect((await plat(['profile', 'use', 'two'], { env })).code).toBe(0);
    expect((await plat(['me'], { env })).code).toBe(0);
    expect([one.received.length, two.received[0]?.headers.authorization]).toEqual([0, `Bearer ${OTHER}`]);
  });

  it('removes a profile after confirmation; then none is current', async () => {
    const { env } = await twoServers();
    expect((await plat(['profile', 'remove', 'one'], { env })).code).toBe(10);
    expect((await plat(['profile', 'remove', 'one', '--yes'], { env })).code).toBe(0);
    expect(JSON.parse((await plat(['profile', 'list', '--json'], { env })).stdout).data).toMatchObject([
      { name: 'two', current: false },
    ]);
  });

  it.each([
    ['a name that is taken', ['one', '--base-url', 'https://example.com'], 2],
    ['an invalid name', ['../x', '--base-url', 'https://example.com'], 2],
    ['a name of the language', ['__proto__', '--base-url', 'https://example.com'], 2],
    ['an address with a password', ['three', '--base-url', 'https://a:b@example.com'], 2],
    ['an address with /v1', ['three', '--base-url', 'https://example.com/v1'], 2],
    ['no address', ['three'], 2],
    ['an empty key', ['three', '--base-url', 'https://example.com', '--api-key-file', '-'], 4],
  ])('does not add %s', async (_, args, code) => {
    const { env } = await twoServers();
    const before = (await plat(['profile', 'list'], { env })).stdout;
    expect((await plat(['profile', 'add', ...args], { env })).code).toBe(code);
    expect((await plat(['profile', 'list'], { env })).stdout).toBe(before);
  });

  it('keeps the additions of concurrent processes', async () => {
    const env = { HOME: emptyFolder() };
    const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
    const add = (name: string) =>
      platProcess(['profile', 'add', name, '--base-url', `https://${name}.example`, '--api-key-file', '-'], {
        env,
        stdin: `${KEY}\n`,
      });
    const added = await Promise.all(names.map(add));
    expect(added.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(names.map(() => 0));
    const { stdout } = await plat(['profile', 'list', '--json'], { env });
    expect(JSON.parse(stdout).data.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('suggests the closest name', async () => {
    const { env } = await twoServers();
    expect((await plat(['profile', 'use', 'twoo'], { env })).stderr).toContain('Did you mean two?');
    expect((await plat(['me', '--profile', 'twoo'], { env })).stderr).toContain('Did you mean two?');
  });
});

describe('--profile', () => {
  it.each([
    ['the option', ['--profile', 'two'], {}],
    ['PLAT_PROFILE', [], { PLAT_PROFILE: 'two' }],
    ['the option before PLAT_PROFILE', ['--profile', 'two'], { PLAT_PROFILE: 'one' }],
  ])('is taken from %s, with its server and key', async (_, args, more) => {
    const { one, two, env } = await twoServers();
    expect(await plat(['me', ...args], { env: { ...env, ...more } })).toMatchObject({ code: 0, stderr: '' });
    expect([one.received.length, two.received[0]?.headers.authorization]).toEqual([0, `Bearer ${OTHER}`]);
  });

  it('takes precedence over the sandbox of the folder', async () => {
    const { one, two, env } = await twoServers();
    const cwd = emptyFolder();
    mkdirSync(join(cwd, '.plat'));
    const sandbox = { base_url: one.baseUrl, tenant_id: 'tnt_1', api_key: KEY };
    writeFileSync(join(cwd, '.plat', 'sandbox.json'), JSON.stringify(sandbox));
    await plat(['me', '--profile', 'two'], { env, cwd });
    expect([one.received.length, two.received.length]).toEqual([0, 1]);
  });

  it('yields to PLAT_API_KEY, which yields to a file; a note reports differing keys', async () => {
    const { two, env } = await twoServers();
    const withKey = { ...env, PLAT_API_KEY: 'plat_test_env' };
    const [byEnv, byFile] = [
      await plat(['me', '--profile', 'two'], { env: withKey }),
      await plat(['me', '--profile', 'two', '--api-key-file', '-'], { env: withKey, stdin: 'plat_test_file' }),
    ];
    expect(two.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer plat_test_env',
      'Bearer plat_test_file',
    ]);
    expect(byEnv.stderr).toBe('note: using the key from PLAT_API_KEY; the profile two has another one\n');
    expect(byFile.stderr).toBe(
      'note: using the key from stdin (--api-key-file -); PLAT_API_KEY and the profile two have another one\n',
    );
  });

  it('never sends its key to another server', async () => {
    const { one, two, env } = await twoServers();
    const { code, stderr } = await plat(['me', '--profile', 'two'], { env: { ...env, PLAT_BASE_URL: one.baseUrl } });
    expect(code).toBe(4);
    expect(stderr).toContain('its key is sent there only');
    expect([...one.received, ...two.received]).toEqual([]);
  });

  it('keeps a login under its name, and not in a profile of another server', async () => {
    const { one, env } = await twoServers();
    const args = ['login', '--profile', 'two', '--base-url', one.baseUrl];
    expect(await plat(args, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The profile two belongs to'),
    });
    expect(one.received).toEqual([]);
  });
});
