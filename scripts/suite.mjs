// Runs what `npm test` and `npm run check` ask for, on the Node that the install brought. Last line: N passed, N failed.
import { checks } from './checks/index.mjs';
import { runChecks } from './lib/run-checks.mjs';
import { add, none, summary } from './lib/tally.mjs';
import { runVitest, runWithoutServers } from './lib/vitest.mjs';

const [mode, ...vitestArgs] = process.argv.slice(2);
let tally = none;
// Whoever names tests wants an answer about those tests, soon.
if (vitestArgs.length === 0) tally = add(tally, await runChecks(checks));
if (mode === 'test') tally = add(tally, await runVitest(vitestArgs));
if (mode === 'test' && process.env.TEST_WITHOUT_SERVERS === '1') tally = add(tally, await runWithoutServers());

// A run that ran nothing has proved nothing.
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
process.stdout.write(`${summary(tally)}\n`);
