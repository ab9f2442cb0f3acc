import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { number, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Contestant, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';

const NAMES = { ours: 'plat --help', bare: 'node -e 0' } as const;
/** As it is installed: what the build made, not the sources. */
const PLAT = fileURLToPath(new URL('../../packages/cli/bin/plat.js', import.meta.url));

const options = readOptions({ rounds: 60, quickRounds: 10 });
const results = await race(
  [start(NAMES.bare, ['-e', '0']), start(NAMES.ours, [PLAT, '--help']), start('plat --version', [PLAT, '--version'])],
  options.rounds,
);
const ms = (value: number): number => value;
const ofBare = ratio(results, NAMES.ours, NAMES.bare, ms);
publish(
  'cli',
  [
    targets([{ what: 'plat --help, of bare node', measured: ofBare.median, shown: times(ofBare), atMost: 1.6 }]),
    table(
      ['', 'ms', 'of bare node'],
      [...results.keys()].map((name) => [
        name,
        number(spread(figures(results, name, ms)).median),
        times(ratio(results, name, NAMES.bare, ms)),
      ]),
    ),
  ],
  options,
);

/** From the start of a process to its end, in ms. */
function start(name: string, args: readonly string[]): Contestant<number> {
  return {
    name,
    async sample() {
      const began = performance.now();
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      return performance.now() - began;
    },
  };
}
