import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { number, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Contestant, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';

const NAMES = { ours: 'plat --help', bare: 'node -e 0', dev: 'plat dev until it answers, warm' } as const;
/** The built program as it is installed, not the sources. */
const PLAT = fileURLToPath(new URL('../../packages/cli/bin/plat.js', import.meta.url));

const options = readOptions({ rounds: 60, quickRounds: 10 });
const results = await race(
  [start(NAMES.bare, ['-e', '0']), start(NAMES.ours, [PLAT, '--help']), start('plat --version', [PLAT, '--version'])],
  options.rounds,
);
const folder = mkdtempSync(join(tmpdir(), 'plat-bench-'));
// The first start creates the database. The measurement covers later starts.
await startDev();
const starts = await race(
  [start(NAMES.bare, ['-e', '0']), { name: NAMES.dev, sample: startDev }],
  Math.ceil(options.rounds / 3),
);
rmSync(folder, { recursive: true });
const ms = (value: number): number => value;
const ofBare = ratio(results, NAMES.ours, NAMES.bare, ms);
const dev = spread(figures(starts, NAMES.dev, ms)).median;
publish(
  'cli',
  [
    targets([
      { what: 'plat --help, of bare node', measured: ofBare.median, shown: times(ofBare), atMost: 1.6 },
      { what: `${NAMES.dev}, ms`, measured: dev, atMost: 800 },
    ]),
    table(
      ['', 'ms', 'of bare node'],
      [...results.keys()].map((name) => [
        name,
        number(spread(figures(results, name, ms)).median),
        times(ratio(results, name, NAMES.bare, ms)),
      ]),
    ),
    table(['', 'ms', 'of bare node'], [[NAMES.dev, number(dev), times(ratio(starts, NAMES.dev, NAMES.bare, ms))]]),
  ],
  options,
);

/** Returns the time from the start of a process to its end, in ms. */
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

/** Returns the time from the start of the process to the first response of the API, in ms. */
async function startDev(): Promise<number> {
  const began = performance.now();
  const args = [PLAT, 'dev', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PLAT_DATA_DIR: folder, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => {
      throw new Error(`plat dev ended with ${code}`);
    }),
  ]);
  // Without a key the request is refused, after the whole server has started.
  const { status } = await fetch(`${JSON.parse(String(line)).base_url}/v1/me`);
  const took = performance.now() - began;
  if (status !== 401) throw new Error(`plat dev answered ${status}`);
  child.kill('SIGTERM');
  await ended;
  return took;
}
