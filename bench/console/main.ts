import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTestServer } from '@plat/server/testing';
import { apiOf } from '../../tests/support/api.ts';
import { signedInDeveloper } from '../../tests/support/developer.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { race } from '../lib/rounds.ts';
import { figures, quantile, ratio, spread } from '../lib/statistics.ts';
import { fill } from './fill.ts';
import { watch } from './viewers.ts';

const PAGES = {
  Overview: '/console',
  Requests: '/console/requests',
  'Requests, refused': '/console/requests?outcome=failed',
  Events: '/console/events',
  Webhooks: '/console/webhooks',
  Explorer: '/console/explorer?operation=requests.list&run=1&in.limit=20',
} as const;
const LIVEZ = '/livez';
const QUERY = 'the SQL of Requests alone';
const CALLS = 40;

const options = readOptions({ rounds: 5, quickRounds: 2 });
const rows = options.quick ? 5_000 : 100_000;
const folder = tempFolder('bench-console');
const path = join(folder.path, 'bench.db');
// Deliveries are rows only, and rows of the log stay.
const env = {
  PLAT_DISPATCH: 'false',
  PLAT_REQUEST_LOG_SANDBOX_ROWS: '1000000',
  PLAT_MAIL_LIMITS: 'recipient=1000000,tenant=1000000,network=1000000',
};
const server = await createTestServer({ databaseUrl: `sqlite:${path}`, env, checkResponses: false });
const bare = new DatabaseSync(path, { readOnly: true });
try {
  const developer = await signedInDeveloper(server);
  const { tenantId, session } = developer;
  const endpoint = { url: 'https://receiver.example/hooks', events: ['*'] };
  const { body } = await apiOf(server.baseUrl, developer.apiKey)('/v1/webhooks/endpoints', { body: endpoint });
  process.stderr.write(`Filling in ${rows.toLocaleString('en-US')} requests, events and deliveries\n`);
  fill(path, tenantId, body.id, rows);

  const select = bare.prepare('SELECT * FROM requests WHERE tenant_id = ? ORDER BY id DESC LIMIT 26');
  const query = { name: QUERY, sample: () => p95(() => void select.all(tenantId)) };
  const pages = Object.entries({ [LIVEZ]: LIVEZ, ...PAGES }).map(([name, at]) => ({
    name,
    sample: () => p95(() => get(at)),
  }));
  const measured = await race([query, ...pages], options.rounds);
  const ms = (value: number): number => value;
  const perPage = await Promise.all(
    Object.entries(PAGES).map(async ([name, at]) => ({
      name,
      p95: spread(figures(measured, name, ms)),
      toLivez: ratio(measured, name, LIVEZ, ms),
      toQuery: ratio(measured, name, QUERY, ms),
      bytes: await get(at),
    })),
  );
  const viewed = await watch(server, 200);
  publish(
    'console',
    [
      targets(
        perPage.flatMap(({ name, p95: time, bytes }): Target[] => [
          { what: `${name}: p95 in ms`, measured: time.median, shown: number(time.median), atMost: 50 },
          { what: `${name}: bytes of the page`, measured: bytes, shown: number(bytes), atMost: 50_000 },
        ]),
      ),
      table(
        ['page', 'p95 ms', `p95 to ${LIVEZ}`, `p95 to ${QUERY}`],
        perPage.map(({ name, p95: time, toLivez, toQuery }) => [
          name,
          number(time.median),
          times(toLivez),
          times(toQuery),
        ]),
      ),
      `${viewed.viewers} live views in one process: a request appears after ${number(viewed.p95Ms)} ms (p95; each tenant is read once a second). They take ${number(viewed.heapBytes / 1024)} KiB of heap, readers included.`,
      `Load of the machine at the end: ${number(loadavg()[0] ?? 0)} on ${cpus().length} processors. Above that number, the times are mostly waiting.`,
    ],
    options,
  );

  /** Opens a page as its developer. Resolves to its bytes. */
  async function get(at: string): Promise<number> {
    const response = await fetch(server.baseUrl + at, { headers: { cookie: session.cookie, accept: 'text/html' } });
    if (response.status !== 200) throw new Error(`${at} answered ${response.status}`);
    return (await response.arrayBuffer()).byteLength;
  }
} finally {
  bare.close();
  await server.close();
  folder.remove();
}

async function p95(act: () => unknown): Promise<number> {
  const durations: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const start = performance.now();
    await act();
    durations.push(performance.now() - start);
  }
  return quantile(durations, 0.95);
}
