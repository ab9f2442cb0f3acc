import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { type ConnectionFlags, readBaseUrlSetting, type Setting } from './base-url-setting.ts';
import {
  type Credentials,
  currentProfile,
  type NamedProfile,
  profileOf,
  readCredentials,
  serverOf,
} from './credentials-file.ts';
import { profileName, requireProfile } from './named-profile.ts';
import { findSandbox, HOW_TO_START, type Sandbox, type SandboxSearch } from './sandbox-file.ts';

/** The server and the credential of a command, and the source of each. */
export interface Connection {
  readonly baseUrl: string;
  readonly baseUrlFrom: string;
  /** Kind of credential: a tenant's API key, or the login of a developer. */
  readonly kind: 'api_key' | 'login';
  readonly credential: string;
  readonly credentialFrom: string;
  /** The sandbox, when it is the selected server. */
  readonly sandbox: Sandbox | null;
  /** Note for the user about the choice, if any. */
  readonly note: string | null;
}

/**
 * Finds the server and the key. Order: options, environment, the profile selected by name, the sandbox of this
 * folder, the current profile.
 *
 * The search for the sandbox file walks up from the current folder, which may be an untrusted clone. Therefore its
 * key is sent to its own address only, and any other key is sent to that address only if it is on this machine. The
 * key of a profile is sent to the address of the profile only.
 * @throws {@link CliError} `USAGE` for an invalid base URL, `NO_API_KEY`, `NO_BASE_URL`
 */
export async function findConnection(io: Io, flags: ConnectionFlags): Promise<Connection> {
  const url = await readBaseUrlSetting(io, flags);
  const key = await givenApiKey(io, flags);
  const wanted = profileName(io, flags);
  if (wanted !== null) return connectionOfProfile(requireProfile(await readCredentials(io), wanted), url, key);
  if (url && key) return connection(url, key, null, await knownProfile(io, url.value));
  const search = await findSandbox(io);
  const sandbox = sandboxOf(search);
  if (key && sandbox && isLoopback(sandbox.baseUrl)) return connection(addressOf(sandbox), key, sandbox);
  if (!key && sandbox && (!url || originOf(url.value) === originOf(sandbox.baseUrl))) {
    const profile = profileOf(await readCredentials(io), sandbox.baseUrl);
    return connection(url ?? addressOf(sandbox), { value: sandbox.apiKey, from: sandbox.path }, sandbox, profile);
  }
  const credentials = await readCredentials(io);
  const known = url ? profileOf(credentials, url.value) : currentProfile(credentials);
  const from = known ? `the profile ${known.name}` : '';
  if (key) {
    if (known) return connection({ value: known.profile.base_url, from }, key, null);
    throw noBaseUrl(key, search);
  }
  if (known?.profile.api_key === undefined) throw noKey(url, search, known);
  return connection(url ?? { value: known.profile.base_url, from }, { value: known.profile.api_key, from }, null);
}

/**
 * Returns the connection of a profile selected by name. Explicit options take precedence; the key of the profile is
 * sent to its server only.
 */
function connectionOfProfile(named: NamedProfile, url: Setting | undefined, key: Setting | undefined): Connection {
  const { name, profile } = named;
  const own = { value: profile.base_url, from: `the profile ${name}` };
  if (key) return connection(url ?? own, key, null, named);
  if (url && serverOf(url.value) !== serverOf(own.value)) {
    throw new CliError('NO_API_KEY', `There is no API key for ${url.value} (${url.from})`, {
      hint: `The profile ${name} belongs to ${own.value}, and its key is sent there only.`,
      next: `Omit ${url.from}, or choose another profile: plat profile list`,
    });
  }
  if (profile.api_key === undefined) throw noKey(undefined, null, named);
  return connection(url ?? own, { value: profile.api_key, from: own.from }, null);
}

/** Returns the saved profile of a server, for comparison only: null if the file cannot be read. */
async function knownProfile(io: Io, baseUrl: string): Promise<NamedProfile | null> {
  return readCredentials(io).then(
    (credentials) => profileOf(credentials, baseUrl),
    () => null,
  );
}

/**
 * Finds the server and its login. A login is sent only to the server that issued it. The login of another profile never
 * replaces the one that is selected by name.
 * @throws {@link CliError} `USAGE` for an invalid base URL or an unknown profile, `NOT_LOGGED_IN`, `NO_BASE_URL`
 */
export async function findLogin(io: Io, flags: ConnectionFlags): Promise<Connection> {
  const credentials = await readCredentials(io);
  const { url, sandbox } = await findServer(io, flags, credentials);
  const wanted = profileName(io, flags);
  const known = wanted === null ? profileOf(credentials, url.value) : requireProfile(credentials, wanted);
  if (known && serverOf(known.profile.base_url) !== serverOf(url.value)) {
    throw new CliError('NOT_LOGGED_IN', `You are not logged in to ${url.value} (${url.from})`, {
      hint: `The profile ${known.name} belongs to ${known.profile.base_url}, and its login is sent there only.`,
      next: `Omit ${url.from}, or choose another profile: plat profile list`,
    });
  }
  const login = known?.profile.developer;
  if (!login) {
    const next = wanted === null ? 'plat login' : `plat login --profile ${wanted}`;
    throw new CliError('NOT_LOGGED_IN', `You are not logged in to ${url.value} (${url.from})`, { next });
  }
  return {
    baseUrl: url.value,
    baseUrlFrom: url.from,
    kind: 'login',
    credential: login.token,
    credentialFrom: `the profile ${known.name}`,
    sandbox,
    note: null,
  };
}

/**
 * Finds the server without a key. A sandbox file found on the way may only name this machine.
 * @throws {@link CliError} `USAGE` for an invalid base URL, `NO_BASE_URL`
 */
export async function findServer(
  io: Io,
  flags: ConnectionFlags,
  credentials: Credentials,
): Promise<{ readonly url: Setting; readonly sandbox: Sandbox | null }> {
  const given = await readBaseUrlSetting(io, flags);
  const search = await findSandbox(io);
  const sandbox = sandboxOf(search);
  const wanted = given ? null : profileName(io, flags);
  if (wanted !== null) {
    const { name, profile } = requireProfile(credentials, wanted);
    return { url: { value: profile.base_url, from: `the profile ${name}` }, sandbox: null };
  }
  if (given) {
    return { url: given, sandbox: sandbox && originOf(given.value) === originOf(sandbox.baseUrl) ? sandbox : null };
  }
  if (sandbox && isLoopback(sandbox.baseUrl)) return { url: addressOf(sandbox), sandbox };
  const known = currentProfile(credentials);
  if (known) return { url: { value: known.profile.base_url, from: `the profile ${known.name}` }, sandbox: null };
  throw new CliError('NO_BASE_URL', 'No server is configured', {
    hint: sandbox ? notThisMachine(sandbox) : problemOf(search),
    next: `Set PLAT_BASE_URL or pass --base-url; or start a sandbox of your own: ${HOW_TO_START}`,
  });
}

function connection(
  url: Setting,
  key: KeySetting,
  sandbox: Sandbox | null,
  profile: NamedProfile | null = null,
): Connection {
  const others = [
    ...(key.overridden ?? []),
    ...(sandbox && key.value !== sandbox.apiKey ? [`the sandbox in ${sandbox.path}`] : []),
    ...(profile?.profile.api_key && key.value !== profile.profile.api_key ? [`the profile ${profile.name}`] : []),
  ];
  return {
    baseUrl: url.value,
    baseUrlFrom: url.from,
    kind: 'api_key',
    credential: key.value,
    credentialFrom: key.from,
    sandbox,
    note:
      others.length > 0
        ? `note: using the key from ${key.from}; ${others.join(' and ')} ${others.length > 1 ? 'have' : 'has'} another one`
        : null,
  };
}

interface KeySetting extends Setting {
  /** Sources of other keys, which this key overrides. */
  readonly overridden?: readonly string[];
}

async function givenApiKey(io: Io, { apiKeyFile }: ConnectionFlags): Promise<KeySetting | undefined> {
  const ofEnvironment = io.env['PLAT_API_KEY']?.trim();
  if (apiKeyFile !== undefined) {
    const from = apiKeyFile === '-' ? 'stdin (--api-key-file -)' : `${apiKeyFile} (--api-key-file)`;
    const value = (await readInput(io, '--api-key-file', apiKeyFile)).trim();
    if (!value) throw new CliError('NO_API_KEY', `There is no API key in ${from}: it is empty`);
    return { value, from, overridden: ofEnvironment && ofEnvironment !== value ? ['PLAT_API_KEY'] : [] };
  }
  return ofEnvironment ? { value: ofEnvironment, from: 'PLAT_API_KEY' } : undefined;
}

function noBaseUrl(key: Setting, search: SandboxSearch): CliError {
  const sandbox = sandboxOf(search);
  return new CliError('NO_BASE_URL', `There is a key from ${key.from}, but no server address`, {
    hint: sandbox ? `${notThisMachine(sandbox)} A key from another source is not sent there.` : problemOf(search),
    next: 'Set PLAT_BASE_URL or pass --base-url.',
  });
}

function noKey(url: Setting | undefined, search: SandboxSearch, known: NamedProfile | null): CliError {
  if (known) {
    const mint = `plat keys mint --save --profile ${known.name} (replaces an existing key of the sandbox)`;
    return known.profile.developer
      ? new CliError('NO_API_KEY', `The profile ${known.name} is logged in, but has no API key`, { next: mint })
      : new CliError('NO_API_KEY', `The profile ${known.name} has no API key and no login`, {
          next: `plat login --profile ${known.name}, then ${mint}; or set PLAT_API_KEY.`,
        });
  }
  const other = sandboxOf(search);
  const hint =
    url && other
      ? `The server is ${url.value} (${url.from}); the sandbox's key in ${other.path} is for ${other.baseUrl}.`
      : problemOf(search);
  const message = url ? 'There is no API key' : 'There is no API key, and no sandbox was found here';
  return new CliError('NO_API_KEY', message, { hint, next: HOW_TO_GET_A_KEY });
}

const HOW_TO_GET_A_KEY = `Start a sandbox of your own: ${HOW_TO_START}; or set PLAT_API_KEY (and PLAT_BASE_URL), or get a key with plat login and plat keys mint --save.`;

function sandboxOf(search: SandboxSearch): Sandbox | null {
  return search && 'sandbox' in search ? search.sandbox : null;
}

function addressOf({ baseUrl, path }: Sandbox): Setting {
  return { value: baseUrl, from: path };
}

function notThisMachine({ path, baseUrl }: Sandbox): string {
  return `${path} names ${baseUrl}, which is not this machine.`;
}

function problemOf(search: SandboxSearch): string | undefined {
  return search && 'problem' in search ? `${search.problem}.` : undefined;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
