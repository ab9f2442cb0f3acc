import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Paths of a database server's programs. */
export interface FoundMysql {
  /** The folder that `.ci/fetch-mysql` fills. */
  readonly home: string;
}

/** `HIDE_SERVERS=1` hides every optional program, as on a machine with only Node.js and npm. */
const isHidden = (process.env['HIDE_SERVERS'] ?? '') !== '';

/** Debian installs servers in folders that only root has in PATH. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of a program, or undefined if this machine lacks it. */
export function findProgram(name: string): string | undefined {
  if (isHidden) return undefined;
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns the folder of the newest version of a program that Debian installs per version, or undefined. */
export function findNewestVersion(root: string): string | undefined {
  if (isHidden || !existsSync(root)) return undefined;
  const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : join(root, newest);
}

/** Returns the paths of the unpacked MySQL, or undefined if `.ci/fetch-mysql` did not run or failed. */
export function findMysql(): FoundMysql | undefined {
  if (isHidden) return undefined;
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const home = process.env['PLAT_MYSQL_HOME'] || join(cache, 'plat-tests', 'mysql');
  return existsSync(join(home, 'ready')) ? { home } : undefined;
}

/** Returns true if browser stories run: Chromium is installed or required. */
export const hasChromium = (): boolean => findProgram('chromium') !== undefined || isRequired('chromium');

/** Returns true if the completion script of this shell is tested: the shell is installed or required. */
export const hasShell = (name: string): boolean => findProgram(name) !== undefined || isRequired('shells');

/** Returns the folder in which Deno and workerd are installed, or null. A clone does not need them, because they are large. */
export function findRuntimes(): string | null {
  const folder = fileURLToPath(new URL('../runtimes', import.meta.url));
  const isInstalled = !isHidden && existsSync(join(folder, 'node_modules', '.package-lock.json'));
  return isInstalled || isRequired('runtimes') ? folder : null;
}

/** Returns true if the example for Next.js has its own installation, or it is required. A clone does not need it. */
export function hasNext(): boolean {
  const folder = fileURLToPath(new URL('../../examples/nextjs-saas', import.meta.url));
  return (!isHidden && existsSync(join(folder, 'node_modules', '.package-lock.json'))) || isRequired('next');
}

/** The system's Python. Debian installs Python packages for it; another Python in the path does not find them. */
export const PYTHON = '/usr/bin/python3';

/** Returns true if the system's Python can import these modules. */
export function hasPythonModules(...names: readonly string[]): boolean {
  return !isHidden && spawnSync(PYTHON, ['-c', `import ${names.join(', ')}`]).status === 0;
}

/** Returns true if REQUIRE_<NAME> is set. Tests of a required program fail without it instead of being skipped. */
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
