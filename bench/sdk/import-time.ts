import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Contestant, race } from '../lib/rounds.ts';
import { type Spread, spread } from '../lib/statistics.ts';

/** The oldest supported Node, if `npm ci` ran in `tests/runtimes`, and the one that runs this program. */
const BINARIES = [
  fileURLToPath(new URL('../../tests/runtimes/node_modules/node20/bin/node', import.meta.url)),
  process.execPath,
].filter((path) => existsSync(path));

/** Returns the processor time, in ms, that an import of the built SDK takes more than an empty module, by version of Node. */
export async function importTimes(rounds: number): Promise<ReadonlyMap<string, Spread>> {
  const times = new Map<string, Spread>();
  for (const node of BINARIES) {
    const results = await race([start(node, ''), start(node, "import '@plat/sdk';")], rounds);
    const [empty = [], sdk = []] = [...results.values()];
    times.set(run(node, 'console.log(process.version)'), spread(sdk.map((time, round) => time - (empty[round] ?? 0))));
  }
  return times;
}

function start(node: string, code: string): Contestant<number> {
  return {
    name: code,
    sample: () =>
      Number(run(node, `${code} const { user, system } = process.cpuUsage(); console.log(user + system);`)) / 1000,
  };
}

/** Runs a module in this folder, from which the package resolves, and returns what it printed. */
function run(node: string, code: string): string {
  const args = ['--input-type=module', '--eval', code];
  const { stdout, stderr, status } = spawnSync(node, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
