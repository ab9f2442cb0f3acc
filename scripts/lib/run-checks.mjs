import { progress } from './progress.mjs';
import { add, none } from './tally.mjs';

/**
 * Runs checks one after the other and prints each name. A failed check prints its whole output.
 * @param {{ name: string, run(): Promise<{ ok: boolean, output: string }> }[]} checks
 */
export async function runChecks(checks) {
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
