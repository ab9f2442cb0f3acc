import { existsSync } from 'node:fs';
import { linkNode } from './node.mjs';
import { at, readJson } from './paths.mjs';
import { progress } from './progress.mjs';
import { runQuiet } from './run.mjs';

/**
 * Installs the packages of the lockfile unless they are installed.
 * @throws Error with npm's output when the installation fails
 */
export async function ensureInstalled() {
  if (!isInstalled()) await install();
  linkNode();
}

async function install() {
  const bar = progress('Installing dependencies');
  const { ok, output } = await npmCi();
  if (!ok) {
    bar.fail();
    throw new Error(`npm ci failed:\n${output.trim()}`);
  }
  bar.done();
}

/**
 * npm writes the installed tree into node_modules. Contents are compared, not times: a checkout or an unpacked archive changes the time
 * of every file and needs no second installation.
 */
function isInstalled() {
  const installedList = at('node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = readJson(installedList).packages;
  return Object.entries(readJson(at('package-lock.json')).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return comparable(found) === comparable(wanted);
  });
}

/** npm 10 leaves `libc` out of the list that it writes. */
function comparable(entry) {
  return JSON.stringify({ ...entry, libc: undefined });
}

function npmCi() {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // The inherited environment: npm replaces node_modules, so it must not run on the Node in that folder.
  const env = { ...process.env };
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return runQuiet(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], { env });
  return runQuiet('npm', args, { env });
}
