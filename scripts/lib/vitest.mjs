import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, readJson } from './paths.mjs';
import { runForeground, toolEnv } from './run.mjs';

/**
 * Runs vitest in the terminal and counts from its own report.
 * @param {string[]} args what to run; everything when empty
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'plat-run-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    // All that the tests write goes with the run, whatever way it ends that lets this process end it.
    const env = toolEnv({ TMPDIR: folder });
    const vitest = at('node_modules', 'vitest', 'vitest.mjs');
    const code = await runForeground(process.execPath, [vitest, 'run', ...reporters, ...args], env);
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
