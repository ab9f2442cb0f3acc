import { tempFolder } from '../../tests/support/temp-folder.ts';
import { startDatabase } from '../lib/database.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Race, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { type LoadSample, wrk } from '../lib/wrk.ts';
import { checkSameAnswers } from './same-answers.ts';
import { NAMES, type Server, startServers } from './servers.ts';

type Action = 'introspect' | 'refresh';

const PARALLEL = [1, 50];
/** Number of grants. More than connections: wrk prepares one request that it does not send. */
const CONSENTS = 60;

const options = readOptions({ rounds: 5, quickRounds: 2 });
const perSecond = ({ perSecond: rate }: LoadSample): number => rate;
const perCpu = ({ cpuMicros }: LoadSample): number => 1 / cpuMicros;

const folder = tempFolder('bench');
const database = await startDatabase({ durable: true });
const running: Server[] = [];
try {
  running.push(...(await startServers(database, folder.path)));
  await checkSameAnswers(running);
  // Code of this size needs seconds of load until the optimizing compiler has compiled it.
  for (const action of ['introspect', 'refresh'] as const) {
    for (const server of running) await load(server, action, 50, 3);
  }
  const reached: Target[] = [];
  const blocks: string[] = [];
  for (const action of ['introspect', 'refresh'] as const) {
    for (const parallel of PARALLEL) {
      const contestants = running.map((server) => ({
        name: server.name,
        sample: () => load(server, action, parallel, 1),
      }));
      const results = await race(contestants, options.rounds);
      const what = `${action}, ${parallel} parallel`;
      for (const name of [NAMES.info, NAMES.warn]) {
        reached.push(target(what, results, name, NAMES.bare, action === 'introspect' ? 0.8 : 0.7));
        if (action === 'introspect') reached.push(target(what, results, name, NAMES.peer, 1));
      }
      blocks.push(`${what}:`, tableOf(results));
    }
  }
  publish('oauth', [targets(reached), ...blocks], options);
} finally {
  await Promise.all(running.map((server) => server.stop()));
  await database.stop();
  folder.remove();
}

async function load(server: Server, action: Action, connections: number, seconds: number): Promise<LoadSample> {
  const { pid, token, introspection } = server;
  // New grants each time: tokens that were in flight at the end of the last load are used.
  const { client_id, client_secret, tokens } = await server.supply(CONSENTS);
  return wrk({
    pid,
    databasePid: database.pid,
    url: action === 'introspect' ? introspection : token,
    connections,
    seconds,
    script: new URL(`./${action}.lua`, import.meta.url),
    args: [
      client_id,
      client_secret,
      ...tokens.map(({ access, refresh }) => (action === 'introspect' ? access : refresh)),
    ],
  });
}

function target(what: string, results: Race<LoadSample>, name: string, to: string, atLeast: number): Target {
  const measured = ratio(results, name, to, perSecond);
  return { what: `${what}: ${name}, of ${to}`, measured: measured.median, shown: times(measured), atLeast };
}

function tableOf(results: Race<LoadSample>): string {
  const median = (name: string, figure: (sample: LoadSample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const body = [...results.keys()].map((name) => [
    name,
    median(name, perSecond),
    times(ratio(results, name, NAMES.bare, perSecond)),
    times(ratio(results, name, NAMES.peer, perSecond)),
    median(name, ({ p50Ms }) => p50Ms),
    median(name, ({ p99Ms }) => p99Ms),
    median(name, ({ cpuMicros }) => cpuMicros),
    times(ratio(results, name, NAMES.bare, perCpu)),
    median(name, ({ databaseCpuMicros }) => databaseCpuMicros),
  ]);
  const head = ['', 'a second', 'of bare', 'of oidc-provider', 'p50 ms', 'p99 ms', 'CPU µs'];
  return table([...head, 'requests a CPU second, of bare', 'database CPU µs'], body);
}
