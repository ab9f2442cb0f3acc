import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GrantLock } from '@plat/sdk/oauth';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { isAbsent, replaceFile } from '../files/private-file.ts';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';
import { isObject, parseJson } from '../terminal/value.ts';

/** Saved credentials of one server. */
export interface Profile {
  readonly base_url: string;
  /** API key saved by `plat keys mint --save`. */
  readonly api_key?: string;
  /** Developer login. */
  readonly developer?: SavedLogin;
}

export interface SavedLogin {
  readonly token: string;
  readonly id: string;
  readonly email: string;
  readonly tenant_id: string;
}

/** Content of the file that `plat login` and `plat keys mint --save` write. */
export interface Credentials {
  readonly version: 1;
  /** Profile that is used when nothing else selects a server. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** A profile with its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

const NOTHING: Credentials = { version: 1, current: null, profiles: {} };

/**
 * Returns the path of the file: below XDG_CONFIG_HOME, the home folder, or %APPDATA%; null if none of them is set.
 */
export function credentialsPath(io: Pick<Io, 'env'>): string | null {
  const folder = userFolder(io, 'config');
  return folder ? join(folder, 'plat', 'credentials.json') : null;
}

/**
 * Reads the file. A missing file is empty. A file that other users can read becomes private.
 * @throws {@link CliError} `UNREADABLE_CREDENTIALS`
 */
export async function readCredentials(io: Pick<Io, 'env'>): Promise<Credentials> {
  const path = credentialsPath(io);
  if (path === null) return NOTHING;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return NOTHING;
    throw unreadable(path, 'cannot be read');
  }
  await makePrivate(path);
  return parse(path, text);
}

/** The file with its content before and after the change. */
interface Changed {
  readonly path: string;
  readonly before: Credentials;
  readonly after: Credentials;
}

/**
 * Changes the file atomically under a lock, so that concurrent changes are not lost. The file is private.
 * @throws {@link CliError} `UNWRITABLE_CREDENTIALS`, `UNREADABLE_CREDENTIALS`, and errors of `change`; nothing is
 * written then
 */
export async function changeCredentials(
  io: Pick<Io, 'env'>,
  change: (credentials: Credentials) => Credentials,
): Promise<Changed> {
  const path = credentialsPath(io);
  if (path === null) throw unwritable('There is no home folder for the login', 'Set HOME or XDG_CONFIG_HOME.');
  const lock = await lockCredentials(path);
  try {
    const before = await readCredentials(io);
    const after = change(before);
    await replaceFile(path, `${JSON.stringify(after, null, 2)}\n`).catch(refuseToWrite(path));
    return { path, before, after };
  } finally {
    await lock.release();
  }
}

/** Maximum wait for another plat process that changes the file, and the poll interval. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_PAUSE_MS = 5;

/** Takes the lock of the SDK's grant stores. It handles many waiters, and is released when its process ends. */
async function lockCredentials(path: string): Promise<GrantLock> {
  const { fileStore } = await import('@plat/sdk/node');
  const store = fileStore(dirname(path));
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const tried = await store.tryLock('credentials').catch(refuseToWrite(path));
    if (!('heldBy' in tried)) return tried;
    if (performance.now() > deadline) {
      throw unwritable(`${path} is being changed by ${tried.heldBy}`, 'Try again when it has finished.');
    }
    await wait(LOCK_PAUSE_MS);
  }
}

/** Returns the profile of a server: of several, the one with this name, or else the current one. */
export function profileOf({ current, profiles }: Credentials, baseUrl: string, wanted = current): NamedProfile | null {
  const same = Object.entries(profiles).filter(([, { base_url }]) => serverOf(base_url) === serverOf(baseUrl));
  const [name, profile] = same.find(([name]) => name === (wanted ?? current)) ?? same[0] ?? [];
  return name !== undefined && profile ? { name, profile } : null;
}

/** Returns the current profile. */
export function currentProfile({ current, profiles }: Credentials): NamedProfile | null {
  return current === null ? null : profileNamed({ profiles }, current);
}

/** Changes of a profile; undefined removes a field. */
interface ProfileChanges {
  readonly api_key?: string | undefined;
  readonly developer?: SavedLogin | undefined;
}

/** Returns the profile with this name. */
export function profileNamed({ profiles }: Pick<Credentials, 'profiles'>, name: string): NamedProfile | null {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  return profile ? { name, profile } : null;
}

/**
 * Returns the credentials with the profile of a server changed. An empty profile is removed. A login makes its
 * profile the current one.
 * @param wanted - name of the profile, for a server with several; created if missing
 */
export function withProfile(
  credentials: Credentials,
  baseUrl: string,
  changes: ProfileChanges,
  wanted: string | null = null,
): Credentials {
  const named = wanted === null ? profileOf(credentials, baseUrl) : profileNamed(credentials, wanted);
  // Credentials of another server are never carried over.
  const known = named && serverOf(named.profile.base_url) === serverOf(baseUrl) ? named : null;
  const name = wanted ?? known?.name ?? newName(credentials, baseUrl);
  const { api_key, developer } = { ...known?.profile, ...changes };
  const { [name]: _before, ...others } = credentials.profiles;
  if (api_key === undefined && developer === undefined) {
    return { ...credentials, current: credentials.current === name ? null : credentials.current, profiles: others };
  }
  const profile = { base_url: baseUrl, ...(api_key && { api_key }), ...(developer && { developer }) };
  const current = changes.developer ? name : (credentials.current ?? name);
  return { ...credentials, current, profiles: { ...others, [name]: profile } };
}

/** Returns the origin and path of a base URL in normalized form. */
export function serverOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url ? url.origin + url.pathname.replace(/\/+$/, '') : baseUrl;
}

/** Names a new profile after its server. */
function newName({ profiles }: Credentials, baseUrl: string): string {
  const host = URL.parse(baseUrl)?.host ?? baseUrl;
  for (let n = 1; ; n++) {
    const name = n === 1 ? host : `${host}-${n}`;
    if (!Object.hasOwn(profiles, name)) return name;
  }
}

function parse(path: string, text: string): Credentials {
  const content = parseJson(text);
  if (!isObject(content) || !isObject(content['profiles'])) throw unreadable(path, 'was not written by plat');
  if (content['version'] !== 1) throw unreadable(path, 'was written by another version of plat');
  const profiles = Object.entries(content['profiles']).flatMap(([name, profile]) =>
    isProfile(profile) ? [[name, profile] as const] : [],
  );
  const { current } = content;
  return {
    version: 1,
    current: typeof current === 'string' ? current : null,
    profiles: Object.fromEntries(profiles),
  };
}

function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || typeof value['base_url'] !== 'string') return false;
  const { api_key: key, developer } = value;
  if (key !== undefined && typeof key !== 'string') return false;
  return (
    developer === undefined ||
    (isObject(developer) && ['token', 'id', 'email', 'tenant_id'].every((name) => typeof developer[name] === 'string'))
  );
}

async function makePrivate(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600);
  } catch (error) {
    // Another process deleted it meanwhile.
    if (isAbsent(error)) return;
    const why = `is not private, and its mode cannot be changed (${codeOf(error)})`;
    throw unreadable(path, why, 'Make it a file of your own that only you can read: chmod 600');
  }
}

function unreadable(
  path: string,
  why: string,
  next = 'Repair it, or delete it and log in again: plat login',
): CliError {
  return new CliError('UNREADABLE_CREDENTIALS', `${path} ${why}`, { next });
}

function refuseToWrite(path: string): (error: unknown) => never {
  return (error) => {
    throw unwritable(
      `${path} cannot be written (${codeOf(error)})`,
      'Make its folder writable, or set XDG_CONFIG_HOME.',
    );
  };
}

function unwritable(message: string, next: string): CliError {
  return new CliError('UNWRITABLE_CREDENTIALS', message, { next });
}
