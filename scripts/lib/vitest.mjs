import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, readJson } from './paths.mjs';
import { runForeground, toolEnv } from './run.mjs';
import { serverTests } from './server-tests.mjs';

/**
 * Runs Vitest in this terminal and counts from its JSON report.
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
  const folder = mkdtempSync(join(tmpdir(), 'plat-run-'));
  const report = join(folder, 'report.json');
  try {
    const slowest = at('scripts', 'lib', 'slowest-files.mjs');
    const reporters = ['default', 'json', slowest].map((name) => `--reporter=${name}`);
    reporters.push(`--outputFile.json=${report}`);
    // Temporary files of the tests are deleted with this folder at the end of the run.
    const env = toolEnv({ ...extraEnv, TMPDIR: folder });
    const vitest = at('node_modules', 'vitest', 'vitest.mjs');
    const code = await runForeground(process.execPath, [vitest, ...args, ...reporters], env);
    const tally = existsSync(report) ? countReport(readJson(report)) : { passed: 0, failed: 0, skipped: 0 };
    // A crash, an unhandled error or a failed set-up fails no test. It counts as one failure.
    return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countReport(report) {
  // A file that does not load has no tests in the report. It counts as one failure.
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
