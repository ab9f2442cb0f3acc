import { CliError } from '../cli-error.ts';
import type { GlobalFlags } from '../flags.ts';
import { readInput } from '../input-file.ts';
import type { Io } from '../io.ts';
import { findSandbox, type Sandbox, type SandboxSearch } from './sandbox-file.ts';

/** Where requests go and what opens the door, with where each was taken from. */
export interface Connection {
  readonly baseUrl: string;
  readonly baseUrlFrom: string;
  readonly apiKey: string;
  readonly apiKeyFrom: string;
  /** The sandbox, when it is the server. */
  readonly sandbox: Sandbox | null;
  /** What the person should know about the choice. */
  readonly note: string | null;
}

/**
 * Finds the server and the key: options, then environment, then the sandbox of this folder.
 *
 * The sandbox's file is found by walking up from the current folder, which may be anybody's clone. So its key goes to
 * its own address only, and a key from elsewhere goes to its address only on this machine.
 * @throws {@link CliError} `NO_API_KEY`, `NO_BASE_URL`
 */
export async function findConnection(io: Io, flags: GlobalFlags): Promise<Connection> {
  const url = givenBaseUrl(io, flags);
  const key = await givenApiKey(io, flags);
  // Nothing to look for when both are given; but then there is nothing to compare them with either.
  const search = url && key ? null : await findSandbox(io);
  const sandbox = search && 'sandbox' in search ? search.sandbox : null;
  if (url && key) return connection(url, key, null);
  if (key) return connection(sandboxUrl(sandbox, key, search), key, sandbox);
  if (!sandbox || (url && originOf(url.value) !== originOf(sandbox.baseUrl))) throw noKey(url, search);
  const from = sandbox.path;
  return connection(url ?? { value: sandbox.baseUrl, from }, { value: sandbox.apiKey, from }, sandbox);
}

/** A value with where it was taken from. */
interface Given {
  readonly value: string;
  readonly from: string;
}

function connection(url: Given, key: Given, sandbox: Sandbox | null): Connection {
  const another = sandbox !== null && key.value !== sandbox.apiKey;
  return {
    baseUrl: url.value,
    baseUrlFrom: url.from,
    apiKey: key.value,
    apiKeyFrom: key.from,
    sandbox,
    note: another ? `note: using the key from ${key.from}; the sandbox in ${sandbox.path} has another one` : null,
  };
}

function givenBaseUrl({ env }: Io, { baseUrl }: GlobalFlags): Given | undefined {
  if (baseUrl !== undefined) return { value: baseUrl, from: '--base-url' };
  const value = env['PLAT_BASE_URL']?.trim();
  return value ? { value, from: 'PLAT_BASE_URL' } : undefined;
}

async function givenApiKey(io: Io, { apiKeyFile }: GlobalFlags): Promise<Given | undefined> {
  if (apiKeyFile !== undefined) {
    const from = apiKeyFile === '-' ? 'stdin (--api-key-file -)' : `${apiKeyFile} (--api-key-file)`;
    const value = (await readInput(io, '--api-key-file', apiKeyFile)).trim();
    if (!value) throw new CliError('NO_API_KEY', `There is no API key in ${from}`, { next: HOW_TO_GET_A_KEY });
    return { value, from };
  }
  const value = io.env['PLAT_API_KEY']?.trim();
  return value ? { value, from: 'PLAT_API_KEY' } : undefined;
}

function sandboxUrl(sandbox: Sandbox | null, key: Given, search: SandboxSearch): Given {
  if (sandbox && isLoopback(sandbox.baseUrl)) return { value: sandbox.baseUrl, from: sandbox.path };
  throw new CliError('NO_BASE_URL', `There is a key from ${key.from}, but no address of a server`, {
    hint: sandbox
      ? `${sandbox.path} names ${sandbox.baseUrl}, which is not this machine; a key from elsewhere is not sent there unasked.`
      : problemOf(search),
    next: 'Set PLAT_BASE_URL or give --base-url.',
  });
}

function noKey(url: Given | undefined, search: SandboxSearch): CliError {
  const other = search && 'sandbox' in search ? search.sandbox : null;
  const hint =
    url && other
      ? `The server is ${url.value} (${url.from}); the sandbox's key in ${other.path} is for ${other.baseUrl}.`
      : problemOf(search);
  const message = url ? 'There is no API key' : 'There is no API key, and no sandbox was found here';
  return new CliError('NO_API_KEY', message, { hint, next: HOW_TO_GET_A_KEY });
}

const HOW_TO_GET_A_KEY =
  'Run `npm start` in the clone for a sandbox of your own, or set PLAT_API_KEY (and PLAT_BASE_URL).';

function problemOf(search: SandboxSearch): string | undefined {
  return search && 'problem' in search ? `${search.problem}.` : undefined;
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
