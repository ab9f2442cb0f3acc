import { progress } from './progress.mjs';
import { none } from './tally.mjs';

/**
 * Runs checks one after the other and prints each name. A failed check prints its whole output.
 * @param {{ name: string, run(): Promise<{ ok: boolean, output: string }> }[]} checks
 */
export async function runChecks(checks) {
  const tally = { ...none };
  for (const { name, run } of checks) {
    const bar = progress(name);
    const { ok, output } = await run().catch((error) => ({ ok: false, output: String(error?.stack ?? error) }));
    if (ok) {
      tally.passed += 1;
      bar.done();
    } else {
      tally.failed += 1;
      bar.fail();
      process.stdout.write(`${output.trimEnd()}\n\n`);
    }
  }
  return tally;
}
