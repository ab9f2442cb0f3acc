import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, readJson } from './paths.mjs';
import { runForeground, toolEnv } from './run.mjs';
import { serverTests } from './server-tests.mjs';

/**
 * Runs vitest in the terminal and counts from its own report.
 * @param {string[]} args what to run; everything when empty
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export function runVitest(args) {
  return run(['run', ...args], {});
}

/**
 * Runs the tests that use an optional server as a machine with only Node.js and npm runs them: every optional server is
 * hidden, none is required, and each of these tests has to pass or to be skipped.
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export function runWithoutServers() {
  process.stdout.write('\nOnce more without optional servers\n');
  const required = Object.keys(process.env).filter((name) => name.startsWith('REQUIRE_'));
  const env = { ...Object.fromEntries(required.map((name) => [name, ''])), HIDE_SERVERS: '1' };
  return run(['run', ...serverTests()], env);
}

async function run(args, extraEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'plat-run-'));
  const report = join(folder, 'report.json');
  try {
    const slowest = at('scripts', 'lib', 'slowest-files.mjs');
    const reporters = ['default', 'json', slowest].map((name) => `--reporter=${name}`);
    reporters.push(`--outputFile.json=${report}`);
    // All that the tests write goes with the run, whatever way it ends that lets this process end it.
    const env = toolEnv({ ...extraEnv, TMPDIR: folder });
    const vitest = at('node_modules', 'vitest', 'vitest.mjs');
    const code = await runForeground(process.execPath, [vitest, ...args, ...reporters], env);
    const tally = existsSync(report) ? countReport(readJson(report)) : { passed: 0, failed: 0, skipped: 0 };
    // A crash, an unhandled error or a failed set-up is no failed test, but it is a failure.
    return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport(report) {
  // A file that could not even be loaded has no tests in the report: it counts as one failure.
  const unloadable = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(hasFailed),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const hasFailed = (test) => test.status === 'failed';
