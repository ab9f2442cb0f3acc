import { freePort } from '../../tests/support/free-port.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { load } from '../api/load.ts';
import { startDatabase } from '../lib/database.ts';
import { number, type Target, targets } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { startPlatServer } from '../lib/plat-server.ts';
import { publish } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { readProfile, shareIn } from './profile.ts';

const MOST_PERCENT = 2;
/** With one export after each round, there are as many as Prometheus asks for by default. */
const SECONDS = 15;
const ACTIONS = ['list', 'create'] as const;
/** Without metrics each measurement is one comparison, so these files and the library are the whole difference. */
const CODE_OF_METRICS = /\/(kernel\/meter|ops\/metrics-exporter|ops\/measured-metric)\.(ts|js)$|\/prom-client\//;

const options = readOptions({ rounds: 5, quickRounds: 1 });
const folder = tempFolder('bench');
const database = await startDatabase({ durable: false });
try {
  const measured: Target[] = [];
  const exports: number[] = [];
  for (const action of ACTIONS) {
    const profiles = tempFolder('profile');
    const port = await freePort();
    const { pid, baseUrl, apiKey, stop } = await startPlatServer({
      databaseUrl: database.url,
      dataDir: folder.path,
      env: { PLAT_DISPATCH: 'false', PLAT_METRICS_PORT: String(port) },
      nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profiles.path}`],
    });
    try {
      const url = `${baseUrl}/v1/clients`;
      for (let round = 0; round < options.rounds; round++) {
        await load({ pid, databasePid: database.pid, url, apiKey, action, seconds: SECONDS });
        exports.push(await exportMillis(port));
      }
    } finally {
      await stop();
    }
    const percent = 100 * shareIn(readProfile(profiles.path), CODE_OF_METRICS);
    profiles.remove();
    measured.push({
      what: `${action}: % of the CPU time in the code of the metrics`,
      measured: percent,
      atMost: MOST_PERCENT,
    });
  }
  publish(
    'metrics',
    [targets(measured), `One export takes ${number(spread(exports).median)} ms (median of ${exports.length}).`],
    options,
  );
} finally {
  await database.stop();
  folder.remove();
}

async function exportMillis(port: number): Promise<number> {
  const start = performance.now();
  await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return performance.now() - start;
}
