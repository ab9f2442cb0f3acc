import { progress } from './progress.mjs';
import { add, none } from './tally.mjs';

/** Number of checks at the same time. Most use one processor. */
const AT_ONCE = 2;

/**
 * Runs checks in order, two at the same time, and prints the name of each. A failed check prints its whole output.
 * @param {readonly { name: string, run(): Promise<{ ok: boolean, output: string }> }[]} checks
 */
export async function runChecks(checks) {
  const waiting = checks.values();
  const tallies = await Promise.all(Array.from({ length: AT_ONCE }, () => runEach(waiting)));
  return tallies.reduce(add, none);
}

/** Runs the checks of an iterator that other calls share. */
async function runEach(checks) {
  let tally = none;
  for (const { name, run } of checks) {
    const bar = progress(name);
    const { ok, output } = await run().catch((error) => ({ ok: false, output: String(error?.stack ?? error) }));
    if (ok) {
      tally = add(tally, { ...none, passed: 1 });
      bar.done();
    } else {
      tally = add(tally, { ...none, failures: [`check  ${name}`] });
      bar.fail();
      process.stdout.write(`${output.trimEnd()}\n\n`);
    }
  }
  return tally;
}
