import { freePort } from '../../tests/support/free-port.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { load } from '../api/load.ts';
import { startDatabase } from '../lib/database.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { type PlatServer, startPlatServer } from '../lib/plat-server.ts';
import { publish } from '../lib/report.ts';
import { type Race, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import type { LoadSample } from '../lib/wrk.ts';

const PLAIN = 'without metrics';
const METRICS = 'with metrics';
const MOST = 1.02;
const SCRAPES = 20;
const ACTIONS = ['list', 'create'] as const;

const options = readOptions({ rounds: 15, quickRounds: 2 });
const cpu = ({ cpuMicros }: LoadSample): number => cpuMicros;

const folder = tempFolder('bench');
const database = await startDatabase({ durable: false });
const running: PlatServer[] = [];
try {
  const port = await freePort();
  const start = async (env: Readonly<Record<string, string>>): Promise<PlatServer> => {
    const server = await startPlatServer({ databaseUrl: database.url, dataDir: folder.path, env });
    running.push(server);
    return server;
  };
  // Neither sends deliveries: the pair differs in metrics only.
  const servers = new Map([
    [PLAIN, await start({ PLAT_DISPATCH: 'false' })],
    [METRICS, await start({ PLAT_DISPATCH: 'false', PLAT_METRICS_PORT: String(port) })],
  ]);
  const results = new Map<(typeof ACTIONS)[number], Race<LoadSample>>();
  for (const action of ACTIONS) {
    const contestants = [...servers].map(([name, { pid, baseUrl, apiKey }]) => ({
      name,
      sample: () => load({ pid, databasePid: database.pid, url: `${baseUrl}/v1/clients`, apiKey, action }),
    }));
    // Code of this size needs seconds of load until the optimizing compiler has compiled it.
    for (const { sample } of contestants) await sample();
    results.set(action, await race(contestants, options.rounds));
  }
  const perAction = [...results].map(([action, measured]) => ({
    action,
    cost: ratio(measured, METRICS, PLAIN, cpu),
    micros: [PLAIN, METRICS].map((name) => number(spread(figures(measured, name, cpu)).median)),
  }));
  publish(
    'metrics',
    [
      targets(
        perAction.map(
          ({ action, cost }): Target => ({
            what: `${action}: CPU a request, of the same server without metrics`,
            measured: cost.median,
            shown: times(cost),
            atMost: MOST,
          }),
        ),
      ),
      table(
        ['CPU µs a request', PLAIN, METRICS],
        perAction.map(({ action, micros }) => [action, ...micros]),
      ),
      `One export takes ${number(await exportMillis(port))} ms (median of ${SCRAPES}); Prometheus asks for one every 15 s or so.`,
    ],
    options,
  );
} finally {
  await Promise.all(running.map((server) => server.stop()));
  await database.stop();
  folder.remove();
}

async function exportMillis(port: number): Promise<number> {
  const durations: number[] = [];
  for (let i = 0; i < SCRAPES; i++) {
    const start = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    durations.push(performance.now() - start);
  }
  return spread(durations).median;
}
