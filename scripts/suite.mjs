// Runs the checks and tests of `npm test` and `npm run check` on the installed Node. Last line: N passed, N failed.
import { checks } from './checks/index.mjs';
import { runChecks } from './lib/run-checks.mjs';
import { add, none, summary } from './lib/tally.mjs';
import { runVitest, runWithoutServers } from './lib/vitest.mjs';

const [mode, ...vitestArgs] = process.argv.slice(2);
let tally = none;
// With arguments only the named tests run, without the checks.
if (vitestArgs.length === 0) tally = add(tally, await runChecks(checks));
if (mode === 'test') tally = add(tally, await runVitest(vitestArgs));
if (mode === 'test' && process.env.TEST_WITHOUT_SERVERS === '1') tally = add(tally, await runWithoutServers());

// A run without any test is a failure.
process.exitCode = tally.failures.length === 0 && tally.passed > 0 ? 0 : 1;
process.stdout.write(`${summary(tally)}\n`);
