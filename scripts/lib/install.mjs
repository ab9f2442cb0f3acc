import { existsSync } from 'node:fs';
import { at, readJson } from './paths.mjs';
import { progress } from './progress.mjs';
import { runQuiet } from './run.mjs';

/**
 * Installs what the lockfile names, unless it is installed already.
 * @throws Error with npm's own words when the install fails
 */
export async function ensureInstalled() {
  if (isInstalled()) return;
  const bar = progress('Installing dependencies');
  const { ok, output } = await npmCi();
  if (!ok) {
    bar.fail();
    throw new Error(`npm ci failed:\n${output.trim()}`);
  }
  bar.done();
}

/**
 * npm writes what it installed beside it. Comparing contents, not times, means that a checkout or an unpacked archive,
 * which makes every file new, costs no second install.
 */
function isInstalled() {
  const installedList = at('node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = readJson(installedList).packages;
  return Object.entries(readJson(at('package-lock.json')).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return JSON.stringify(found) === JSON.stringify(wanted);
  });
}

function npmCi() {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // The environment as it came: npm replaces node_modules, so it must not run on the Node that lives there.
  const env = { ...process.env };
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return runQuiet(process.env.npm_node_execpath ?? process.execPath, [npm, ...args], { env });
  return runQuiet('npm', args, { env, shell: process.platform === 'win32' });
}
