import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NODE_BINARIES } from '../lib/node-binaries.ts';
import { type Contestant, race } from '../lib/rounds.ts';
import { type Spread, spread } from '../lib/statistics.ts';

/** Returns the processor time, in ms, that an import of the built SDK takes more than an empty module, by version of Node. */
export async function importTimes(rounds: number): Promise<ReadonlyMap<string, Spread>> {
  const times = new Map<string, Spread>();
  for (const node of NODE_BINARIES) {
    const results = await race([start(node, 'empty'), start(node, 'sdk')], rounds);
    const [empty = [], sdk = []] = [...results.values()];
    times.set(run(node, ['--version']), spread(sdk.map((time, round) => time - (empty[round] ?? Number.NaN))));
  }
  return times;
}

/** Each program prints its processor time in microseconds, its start included. */
function start(node: string, name: string): Contestant<number> {
  const program = fileURLToPath(new URL(`./import/${name}.mjs`, import.meta.url));
  return { name, sample: () => Number(run(node, [program])) / 1000 };
}

function run(node: string, args: readonly string[]): string {
  return execFileSync(node, args, { encoding: 'utf8' }).trim();
}
