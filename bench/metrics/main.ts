import { freePort } from '../../tests/support/free-port.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { load } from '../api/load.ts';
import { startDatabase } from '../lib/database.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { type PlatServer, startPlatServer } from '../lib/plat-server.ts';
import { publish } from '../lib/report.ts';
import { race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import type { LoadSample } from '../lib/wrk.ts';

const PLAIN = 'without metrics';
const METRICS = 'with metrics';
const MOST = 1.02;
const SCRAPES = 20;
/** Two processes of the same server differ by up to 8 %, so several pairs are measured. */
const PAIRS = 4;
/** The optimizing compiler needs seconds of load, and longer for the server with more code. */
const SECONDS = 5;
const ACTIONS = ['list', 'create'] as const;

const options = readOptions({ rounds: 3, quickRounds: 1 });
const cpu = ({ cpuMicros }: LoadSample): number => cpuMicros;

const folder = tempFolder('bench');
const database = await startDatabase({ durable: false });
const running = new Set<PlatServer>();
try {
  const port = await freePort();
  const start = async (env: Readonly<Record<string, string>>): Promise<PlatServer> => {
    const server = await startPlatServer({ databaseUrl: database.url, dataDir: folder.path, env });
    running.add(server);
    return server;
  };
  const samples = { list: newSamples(), create: newSamples() };
  let exportMs = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    // Neither sends deliveries: the pair differs in metrics only.
    const servers = new Map([
      [PLAIN, await start({ PLAT_DISPATCH: 'false' })],
      [METRICS, await start({ PLAT_DISPATCH: 'false', PLAT_METRICS_PORT: String(port) })],
    ]);
    for (const action of ACTIONS) {
      const contestants = [...servers].map(([name, { pid, baseUrl, apiKey }]) => ({
        name,
        sample: () =>
          load({ pid, databasePid: database.pid, url: `${baseUrl}/v1/clients`, apiKey, action, seconds: SECONDS }),
      }));
      // Each pair begins with the other one.
      if (pair % 2 === 1) contestants.reverse();
      const measured = await race(contestants, options.rounds);
      for (const [name, own] of measured) samples[action].get(name)?.push(...own);
    }
    exportMs = await exportMillis(port);
    for (const server of servers.values()) {
      await server.stop();
      running.delete(server);
    }
  }
  const results = Object.entries(samples);
  const perAction = results.map(([action, measured]) => ({
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
      `One export takes ${number(exportMs)} ms (median of ${SCRAPES}); Prometheus asks for one every 15 s or so.`,
    ],
    options,
  );
} finally {
  await Promise.all([...running].map((server) => server.stop()));
  await database.stop();
  folder.remove();
}

function newSamples(): Map<string, LoadSample[]> {
  return new Map([PLAIN, METRICS].map((name) => [name, []]));
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
