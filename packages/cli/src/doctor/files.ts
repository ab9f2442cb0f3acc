import { chmod, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { credentialsPath, readCredentials } from '../connection/credentials-file.ts';
import { findSandbox, type Sandbox } from '../connection/sandbox-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { isAbsent } from '../files/private-file.ts';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';
import { type Check, fail, ok, type RunCheck, warn } from './check.ts';

/** Checks that the files with secrets are readable, by their owner only. */
export const checkFiles: RunCheck = async ({ io }, { fix }) => {
  const checks = await modes(io, fix);
  const path = credentialsPath(io);
  if (path === null) {
    return [...checks, warn('files', 'There is no home folder for the login', 'Set HOME or XDG_CONFIG_HOME.')];
  }
  try {
    const { current, profiles } = await readCredentials(io);
    const count = Object.keys(profiles).length;
    const use = current === null ? 'none in use' : `in use: ${current}`;
    return [...checks, ok('profiles', count === 0 ? `none in ${path}` : `${count} in ${path}, ${use}`)];
  } catch (error) {
    const { message, advice } = error instanceof CliError ? error : { message: String(error), advice: {} };
    return [...checks, fail('profiles', message, advice.next ?? 'Repair the file.')];
  }
};

async function modes(io: Io, fix: boolean): Promise<readonly Check[]> {
  // Windows protects them with ACLs.
  if (process.platform === 'win32') return [];
  const open: string[] = [];
  const checks: Check[] = [];
  for (const path of await privatePaths(io)) {
    try {
      const found = await stat(path);
      if ((found.mode & 0o077) === 0) continue;
      if (fix) await chmod(path, found.isDirectory() ? 0o700 : 0o600);
      open.push(path);
    } catch (error) {
      if (!isAbsent(error)) checks.push(fail('files', `${path} (${codeOf(error)})`, 'Check its owner.'));
    }
  }
  if (open.length === 0) return checks.length > 0 ? checks : [ok('files', 'only you can read the files with secrets')];
  const which = open.join(', ');
  if (fix) return [...checks, ok('files', `made private: ${which}`)];
  return [...checks, warn('files', `other users of this machine can read ${which}`, 'plat doctor --fix')];
}

/** Returns the paths of folders and files with secrets; they may not exist. */
async function privatePaths(io: Io): Promise<readonly string[]> {
  const credentials = credentialsPath(io);
  const state = userFolder(io, 'state');
  const listen = state === null ? null : join(state, 'plat', 'listen');
  const kept = listen === null ? [] : await readdir(listen).catch(() => []);
  const search = await findSandbox(io);
  return [
    ...(credentials === null ? [] : [dirname(credentials), credentials]),
    ...(listen === null ? [] : [listen, ...kept.map((name) => join(listen, name))]),
    ...(search && 'sandbox' in search ? sandboxPaths(search.sandbox) : []),
  ];
}

/** Files in the data folder of the server. */
const SERVER_FILES = ['master.key', 'plat.db', 'plat.db-wal', 'plat.db-shm'];

function sandboxPaths({ path }: Sandbox): readonly string[] {
  return [path, ...SERVER_FILES.map((name) => join(dirname(path), name))];
}
