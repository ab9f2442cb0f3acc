import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, readJson } from './paths.mjs';
import { runForeground, toolEnv } from './run.mjs';
import { serverTests } from './server-tests.mjs';
import { none } from './tally.mjs';

/**
 * Runs Vitest in this terminal and returns its tally.
 * @param {string[]} args arguments for Vitest; it runs all tests without any
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export function runVitest(args) {
  return run(['run', ...args], {});
}

/**
 * Runs the tests that use an optional server as on a machine with only Node.js and npm. Every optional server is hidden and none is
 * required, so each of these tests has to pass or to be skipped.
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export function runWithoutServers() {
  process.stdout.write('\nOnce more without optional servers\n');
  const required = Object.keys(process.env).filter((name) => name.startsWith('REQUIRE_'));
  const env = { ...Object.fromEntries(required.map((name) => [name, ''])), HIDE_SERVERS: '1' };
  return run(['run', ...serverTests()], env);
}

async function run(args, extraEnv) {
  const folder = mkdtempSync(join(fastFolder(), 'plat-run-'));
  const tallyFile = join(folder, 'tally.json');
  try {
    const own = ['slowest-files.mjs', 'tally-reporter.mjs'].map((file) => at('scripts', 'lib', file));
    const reporters = ['default', ...own].map((name) => `--reporter=${name}`);
    // Temporary files of the tests are deleted with this folder at the end of the run.
    const env = toolEnv({ ...extraEnv, TMPDIR: folder, PLAT_TALLY_FILE: tallyFile });
    const vitest = at('node_modules', 'vitest', 'vitest.mjs');
    const code = await runForeground(process.execPath, [vitest, ...args, ...reporters], env);
    const tally = existsSync(tallyFile) ? readJson(tallyFile) : none;
    // A crash or a failed set-up fails no test. It counts as one failure.
    const isIncomplete = code !== 0 && tally.failures.length === 0;
    return isIncomplete ? { ...tally, failures: [`vitest ended with exit code ${code}`] } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Memory in bytes that the databases and temporary files of a whole run need, with a wide margin. */
const ENOUGH = 6 * 1024 ** 3;

/** A folder in memory where Linux has one that is large enough: databases create their tables there in a quarter of the time. */
function fastFolder() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= ENOUGH && freemem() >= ENOUGH ? memory : tmpdir();
}
