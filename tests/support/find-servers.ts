import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where a database server's program is on this machine. */
export interface FoundMysql {
  /** The folder that `.ci/fetch-mysql` filled. */
  readonly home: string;
}

/** `HIDE_SERVERS=1` makes this machine look as if it had Node.js and npm only. */
const isHidden = (process.env['HIDE_SERVERS'] ?? '') !== '';

/** Debian puts servers where only root's PATH looks. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The path of a program, or undefined when this machine does not have it. */
export function findProgram(name: string): string | undefined {
  if (isHidden) return undefined;
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The folder of the newest version of a program that Debian keeps in a folder for each version, or undefined. */
export function findNewestVersion(root: string): string | undefined {
  if (isHidden || !existsSync(root)) return undefined;
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : join(root, newest);
}

/** MySQL as `.ci/fetch-mysql` unpacked it, or undefined when that was not run or had no luck. */
export function findMysql(): FoundMysql | undefined {
  if (isHidden) return undefined;
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const home = process.env['PLAT_MYSQL_HOME'] || join(cache, 'plat-tests', 'mysql');
  return existsSync(join(home, 'ready')) ? { home } : undefined;
}

/** Whether stories in a browser run: where there is one, or where a run without them would be none. */
export const hasChromium = (): boolean => findProgram('chromium') !== undefined || isRequired('chromium');

/** Whether the completion script of this shell can be run: where the shell is, or REQUIRE_SHELLS says it must be. */
export const hasShell = (name: string): boolean => findProgram(name) !== undefined || isRequired('shells');

/** The Python of the system: Debian's Python packages install for it, another one in the path does not find them. */
export const PYTHON = '/usr/bin/python3';

/** Whether the system's Python can import these modules. */
export function hasPythonModules(...names: readonly string[]): boolean {
  return !isHidden && spawnSync(PYTHON, ['-c', `import ${names.join(', ')}`]).status === 0;
}

/** Whether REQUIRE_<NAME> says that a run without this server is no run: what needs it then fails instead of standing aside. */
export function isRequired(name: string): boolean {
  const value = process.env[`REQUIRE_${name.toUpperCase()}`] ?? '';
  return value !== '' && value !== '0';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
