import { confirm } from '../command/confirm.ts';
import { type CommandContext, note } from '../command/context.ts';
import { readBaseUrlSetting } from '../connection/base-url-setting.ts';
import {
  type Credentials,
  changeCredentials,
  type Profile,
  profileNamed,
  readCredentials,
} from '../connection/credentials-file.ts';
import { requireProfile } from '../connection/named-profile.ts';
import { findSandbox } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import { printList } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';

/** Prints the profiles without their secrets. */
export async function listProfiles(context: CommandContext): Promise<void> {
  const credentials = await readCredentials(context.io);
  const data = Object.entries(credentials.profiles).map(([name, profile]) => shown(credentials, name, profile));
  await printList(context, { object: 'list', data, has_more: false });
}

/**
 * Makes a profile the current one.
 * @throws {@link CliError} `USAGE` for an unknown name
 */
export async function useProfile(context: CommandContext, name: string): Promise<void> {
  const { after } = await changeCredentials(context.io, (now) => {
    requireProfile(now, name);
    return { ...now, current: name };
  });
  const { profile } = requireProfile(after, name);
  await printResult(context, shown(after, name, profile));
  const search = await findSandbox(context.io);
  if (search && 'sandbox' in search) {
    await note(
      context,
      `In this folder the sandbox of ${search.sandbox.path} takes precedence; to use the profile here: --profile ${name}`,
    );
  }
}

/**
 * Saves a server and its key as a profile.
 * @throws {@link CliError} `USAGE` for an invalid or existing name, `NO_BASE_URL`, `NO_API_KEY` for a file without a
 * key
 */
export async function addProfile(context: CommandContext, name: string, use: boolean): Promise<void> {
  const { io } = context;
  if (!/^[\w[](?:[\w.:[\]-]{0,62}[\w\]])?$/.test(name) || name.startsWith('__')) {
    throw new CliError(
      'USAGE',
      `${name} is not a valid profile name: letters and digits, with . _ : - between them, up to 64`,
    );
  }
  refuseTaken(await readCredentials(io), name);
  const api_key = await readKey(context);
  const profile = { base_url: await readBaseUrl(context), ...(api_key !== undefined && { api_key }) };
  const { path, after } = await changeCredentials(io, (now) => {
    // Checked again: another plat process may have used the name meanwhile.
    refuseTaken(now, name);
    const current = use ? name : (now.current ?? name);
    return { ...now, current, profiles: { ...now.profiles, [name]: profile } };
  });
  await printResult(context, shown(after, name, profile));
  await note(context, `Saved in ${path}.${api_key === undefined ? ` To log in: plat login --profile ${name}` : ''}`);
}

/**
 * Removes a profile.
 * @throws {@link CliError} `USAGE`, `CONFIRMATION_REQUIRED`
 */
export async function removeProfile(context: CommandContext, name: string, yes: boolean): Promise<void> {
  const before = requireProfile(await readCredentials(context.io), name);
  await confirm(context, yes, `Remove profile ${name}? Its key and login are deleted from this machine.`);
  await changeCredentials(context.io, (now) => {
    const { [name]: _gone, ...profiles } = now.profiles;
    return { ...now, current: now.current === name ? null : now.current, profiles };
  });
  await printResult(context, { object: 'profile', name, base_url: before.profile.base_url, removed: true });
}

function refuseTaken(credentials: Credentials, name: string): void {
  if (!profileNamed(credentials, name)) return;
  throw new CliError('USAGE', `The profile ${name} already exists`, {
    next: `Choose another name, or remove it: plat profile remove ${name}`,
  });
}

function shown({ current }: Credentials, name: string, { base_url, api_key, developer }: Profile): JsonObject {
  const key = api_key === undefined ? null : api_key.startsWith('plat_live_') ? 'live' : 'test';
  return {
    object: 'profile',
    name,
    current: name === current,
    base_url,
    api_key: key,
    login: developer?.email ?? null,
  };
}

async function readKey({ io, flags: { apiKeyFile } }: CommandContext): Promise<string | undefined> {
  if (apiKeyFile === undefined) return undefined;
  const key = (await readInput(io, '--api-key-file', apiKeyFile)).trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CliError('NO_API_KEY', `There is no API key in ${apiKeyFile === '-' ? 'stdin' : apiKeyFile}`, {
    next: 'The file has the key as one line, as the console showed it.',
  });
}

async function readBaseUrl({ io, flags }: CommandContext): Promise<string> {
  const given = await readBaseUrlSetting(io, flags);
  if (given) return given.value;
  throw new CliError('NO_BASE_URL', 'A profile needs a server', { next: 'Pass --base-url <url>.' });
}
