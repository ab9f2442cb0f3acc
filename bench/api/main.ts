import { createConnection } from 'mysql2/promise';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { startDatabase } from '../lib/database.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Race, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { type BenchTenant, createTenant } from '../lib/tenant.ts';
import type { LoadSample } from '../lib/wrk.ts';
import { load } from './load.ts';
import { prefill } from './prefill.ts';
import { checkSameAnswers } from './same-answers.ts';
import { NAMES, type Server, startServers } from './servers.ts';

const SECOND = 'reference server, second page';
const LAST = 'reference server, last page';
const SANDBOX = 'reference server, a sandbox';

const options = readOptions({ rounds: 5, quickRounds: 2 });
const rows = options.quick ? 50_000 : 1_000_000;
const perSecond = ({ perSecond: rate }: LoadSample): number => rate;
const perCpu = ({ cpuMicros }: LoadSample): number => 1 / cpuMicros;

const folder = tempFolder('bench');
const database = await startDatabase({ durable: false });
const running: Server[] = [];
try {
  const { servers, sandbox } = await startServers(database, folder.path);
  running.push(...servers);
  const tenant = await createTenantIn(database.url);
  process.stderr.write(`Filling in twice ${rows.toLocaleString('en-US')} clients\n`);
  const cursors = await prefill(database.url, [tenant.id, sandbox.id], rows);
  await checkSameAnswers(servers, tenant.apiKey, database.url);

  const contestant = (
    server: Server,
    action: 'list' | 'create',
    { query = '', name = server.name, apiKey = tenant.apiKey } = {},
  ) => ({
    name,
    sample: () =>
      load({ pid: server.pid, databasePid: database.pid, url: `${server.baseUrl}/v1/clients${query}`, apiKey, action }),
  });
  const inSandbox = { name: SANDBOX, apiKey: sandbox.apiKey };
  const ours = servers.filter(({ name }) => name === NAMES.info);
  // Code of this size needs seconds of load until the optimizing compiler has compiled it.
  for (const server of servers) {
    for (const action of ['list', 'create'] as const) await contestant(server, action).sample();
  }
  const lists = await race(
    [
      ...servers.map((server) => contestant(server, 'list')),
      ...ours.flatMap((server) => [
        contestant(server, 'list', { name: SECOND, query: `?starting_after=${cursors.second}` }),
        contestant(server, 'list', { name: LAST, query: `?starting_after=${cursors.last}` }),
        contestant(server, 'list', inSandbox),
      ]),
    ],
    options.rounds,
  );
  const creates = await race(
    [
      ...servers.map((server) => contestant(server, 'create')),
      ...ours.map((server) => contestant(server, 'create', inSandbox)),
    ],
    options.rounds,
  );
  const lastOf = (page: string): Target => {
    const measured = ratio(lists, LAST, page, perSecond);
    return { what: `list: last page of ${page}`, measured: measured.median, shown: times(measured), atLeast: 0.95 };
  };
  publish(
    'api',
    [
      targets([
        ...serverTargets('list', lists, 0.35, 0.7),
        lastOf(SECOND),
        ...serverTargets('create', creates, 0.3, 0.55),
      ]),
      `List of 20 out of ${rows.toLocaleString('en-US')}:`,
      tableOf(lists),
      'Create, with its event and its audit row:',
      tableOf(creates),
    ],
    options,
  );
} finally {
  await Promise.all(running.map((server) => server.stop()));
  await database.stop();
  folder.remove();
}

async function createTenantIn(databaseUrl: string): Promise<BenchTenant> {
  const connection = await createConnection({ uri: databaseUrl });
  try {
    return await createTenant(connection);
  } finally {
    await connection.end();
  }
}

function serverTargets(what: string, results: Race<LoadSample>, ofBare: number, ofExpress: number): Target[] {
  const target = (name: string, to: string, atLeast: number): Target => {
    const measured = ratio(results, name, to, perSecond);
    return { what: `${what}: ${name}, of ${to}`, measured: measured.median, shown: times(measured), atLeast };
  };
  return [NAMES.info, NAMES.warn].flatMap((name) => [
    target(name, NAMES.bare, ofBare),
    target(name, NAMES.express, ofExpress),
  ]);
}

function tableOf(results: Race<LoadSample>): string {
  const median = (name: string, figure: (sample: LoadSample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const body = [...results.keys()].map((name) => [
    name,
    median(name, perSecond),
    times(ratio(results, name, NAMES.bare, perSecond)),
    times(ratio(results, name, NAMES.express, perSecond)),
    median(name, ({ p50Ms }) => p50Ms),
    median(name, ({ p99Ms }) => p99Ms),
    median(name, ({ cpuMicros }) => cpuMicros),
    times(ratio(results, name, NAMES.bare, perCpu)),
    median(name, ({ databaseCpuMicros }) => databaseCpuMicros),
  ]);
  return table(
    [
      '',
      'a second',
      'of bare',
      'of Express',
      'p50 ms',
      'p99 ms',
      'CPU µs',
      'requests a CPU second, of bare',
      'database CPU µs',
    ],
    body,
  );
}
