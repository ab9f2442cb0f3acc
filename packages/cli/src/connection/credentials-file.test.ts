import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeWith, LOGIN } from '../testing/logged-in.ts';
import { emptyFolder } from '../testing/plat.ts';
import { changeCredentials, credentialsPath, profileOf, readCredentials, withProfile } from './credentials-file.ts';

const HERE = 'https://api.example';
const empty = { version: 1, current: null, profiles: {} } as const;

describe('the file of logins', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/plat/credentials.json'],
    [{ XDG_CONFIG_HOME: 'relative', HOME: '/h' }, '/h/.config/plat/credentials.json'],
    [{ HOME: '/h', APPDATA: '/a' }, '/h/.config/plat/credentials.json'],
    [{ APPDATA: '/a' }, '/a/plat/credentials.json'],
    [{}, null],
  ])('is, with %j, at %s', (env, path) => {
    expect(credentialsPath({ env })).toBe(path && normalize(path));
  });

  // Windows has no file modes: the file is in the user's own folder.
  it.skipIf(process.platform === 'win32')('is private, and no other file is left beside it', async () => {
    const env = { HOME: emptyFolder() };
    const credentials = withProfile(empty, HERE, { developer: LOGIN });
    const { path } = await changeCredentials({ env }, () => credentials);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await readCredentials({ env })).toEqual(credentials);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, '..'))).toEqual(['credentials.json']);
  });

  it.skipIf(process.platform === 'win32')('becomes private if it was not', async () => {
    const env = homeWith(empty);
    const path = credentialsPath({ env }) ?? '';
    chmodSync(path, 0o644);
    await readCredentials({ env });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  // No user may change the mode of a file of a process in /proc.
  it.runIf(process.platform === 'linux')(
    'is refused if other users can read it and its mode cannot be changed',
    async () => {
      const env = homeWith(empty);
      const path = credentialsPath({ env }) ?? '';
      rmSync(path);
      symlinkSync('/proc/self/mounts', path);
      await expect(readCredentials({ env })).rejects.toMatchObject({
        code: 'UNREADABLE_CREDENTIALS',
        message: expect.stringMatching(/ is not private, and its mode cannot be changed \(EPERM\)$/),
      });
    },
  );

  it('may be missing', async () => {
    expect(await readCredentials({ env: { HOME: emptyFolder() } })).toEqual(empty);
    expect(await readCredentials({ env: {} })).toEqual(empty);
  });

  it.each([
    ['is no JSON', '{', /was not written by plat/],
    ['holds something else', { tokens: [] }, /was not written by plat/],
    ['is of another version', { version: 2, current: null, profiles: {} }, /another version/],
  ])('is not touched when it %s', async (_, content, message) => {
    await expect(readCredentials({ env: homeWith(content) })).rejects.toMatchObject({
      code: 'UNREADABLE_CREDENTIALS',
      exitCode: 2,
      message: expect.stringMatching(message),
    });
  });

  it('reports that it cannot be written', async () => {
    const HOME = emptyFolder();
    writeFileSync(join(HOME, '.config'), '');
    const failure = { code: 'UNWRITABLE_CREDENTIALS', exitCode: 1 };
    await expect(changeCredentials({ env: { HOME } }, () => empty)).rejects.toMatchObject(failure);
    await expect(changeCredentials({ env: {} }, () => empty)).rejects.toMatchObject(failure);
  });

  it('keeps every change of concurrent processes', async () => {
    const env = { HOME: emptyFolder() };
    const servers = Array.from({ length: 20 }, (_, n) => `https://api-${n}.example`);
    await Promise.all(
      servers.map((server) => changeCredentials({ env }, (now) => withProfile(now, server, { api_key: server }))),
    );
    const { profiles } = await readCredentials({ env });
    expect(
      Object.values(profiles)
        .map(({ api_key }) => api_key)
        .sort(),
    ).toEqual(servers.toSorted());
  });

  it('is unchanged after a refused change, and can be changed again', async () => {
    const env = homeWith(withProfile(empty, HERE, { developer: LOGIN }));
    const refuse = () => {
      throw new Error('no');
    };
    await expect(changeCredentials({ env }, refuse)).rejects.toThrow('no');
    const { before } = await changeCredentials({ env }, () => empty);
    expect(before.current).toBe('api.example');
  });
});

describe('a profile', () => {
  it('is named after its server, in any notation of the address', () => {
    const credentials = withProfile(empty, `${HERE}/`, { developer: LOGIN });
    expect(Object.keys(credentials.profiles)).toEqual(['api.example']);
    expect(profileOf(credentials, 'HTTPS://API.EXAMPLE:443')?.name).toBe('api.example');
    expect(profileOf(credentials, `${HERE}/other`)).toBeNull();
    expect(profileOf(credentials, 'http://api.example')).toBeNull();
  });

  it('of another server on the same host has a different name, and the login makes it the current one', () => {
    const both = withProfile(withProfile(empty, HERE, { developer: LOGIN }), `${HERE}/b`, { developer: LOGIN });
    expect(Object.keys(both.profiles).sort()).toEqual(['api.example', 'api.example-2']);
    expect(both.current).toBe('api.example-2');
    expect(withProfile(both, HERE, { api_key: 'k' }).current).toBe('api.example-2');
  });

  it('keeps the key when the login is removed, and is removed when it is empty', () => {
    const whole = withProfile(withProfile(empty, HERE, { developer: LOGIN }), HERE, { api_key: 'k' });
    const out = withProfile(whole, HERE, { developer: undefined });
    expect(out).toEqual({
      version: 1,
      current: 'api.example',
      profiles: { 'api.example': { base_url: HERE, api_key: 'k' } },
    });
    expect(withProfile(out, HERE, { api_key: undefined })).toEqual(empty);
  });

  it('carries no key over to another server', () => {
    const named = withProfile(empty, HERE, { api_key: 'k' }, 'mine');
    const { profiles } = withProfile(named, 'https://other.example', { developer: LOGIN }, 'mine');
    expect(profiles).toEqual({ mine: { base_url: 'https://other.example', developer: LOGIN } });
  });

  it('with invalid content is ignored', async () => {
    const good = { base_url: HERE, developer: LOGIN };
    const spoiled = { a: 1, b: { base_url: HERE, api_key: 7 }, c: { base_url: HERE, developer: { token: 't' } } };
    const env = homeWith({ version: 1, current: 'a', profiles: { ...spoiled, good } });
    expect((await readCredentials({ env })).profiles).toEqual({ good });
    expect(readFileSync(credentialsPath({ env }) ?? '', 'utf8')).toContain('"a":1');
  });
});
