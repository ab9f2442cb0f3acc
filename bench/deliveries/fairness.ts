import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../lib/child.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import type { Options } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Contestant, type Race, race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import type { Observed } from './observer.ts';
import { hostUrls, onStage, type Stage } from './stage.ts';
import { createEndpoints } from './tenants.ts';
import { type FirstByteSample, firstBytes } from './traffic.ts';
import { deadUrls, silentNameServer, trouble } from './troubles.ts';

const NAMES = {
  unloaded: 'no endpoint fails',
  hangs: 'one endpoint hangs, with a backlog',
  dead: '200 endpoints of a tenant are dead',
} as const;

/**
 * Measures deliveries to healthy endpoints: alone, beside one that hangs, and beside a tenant whose endpoints all fail.
 */
export async function measureFairness(options: Options): Promise<void> {
  const nameServer: (() => unknown)[] = [];
  const address = await silentNameServer((stop) => nameServer.push(stop));
  const env = { BENCH_NAME_SERVER: address };
  const nodeFlags = ['--import', new URL('./name-server.ts', import.meta.url).href];
  const results = await onStage({ env, nodeFlags }, (stage) => compare(stage, options));
  for (const stop of nameServer) stop();

  const loaded = [NAMES.hangs, NAMES.dead];
  const reached: Target[] = loaded.map((name) => {
    const compared = ratio(results, name, NAMES.unloaded, ({ p99Ms }) => p99Ms);
    return { what: `p99 of the others, ${name}`, measured: compared.median, shown: times(compared), atMost: 2 };
  });
  const about = `${sizeOf(options).healthy} healthy endpoints of tenants with 50 each, 8 changes a second:`;
  publish('deliveries: fairness', [targets(reached), about, tableOf(results)], options);
}

function sizeOf({ quick }: Options): { readonly healthy: number; readonly backlog: number; readonly changes: number } {
  return quick ? { healthy: 200, backlog: 20_000, changes: 60 } : { healthy: 1000, backlog: 100_000, changes: 160 };
}

async function compare(stage: Stage, options: Options): Promise<Race<FirstByteSample>> {
  const { connection, server, defer } = stage;
  const { healthy, backlog, changes } = sizeOf(options);
  const observer = await startChild<Observed>(new URL('./observer.ts', import.meta.url));
  defer(() => observer.stop());
  const { port } = observer.ready;
  const tenants = await createEndpoints(server.baseUrl, connection, hostUrls(healthy, port, '/hook'));
  const apiKeys = tenants.map(({ apiKey }) => apiKey);
  const measure = (count: number): Promise<FirstByteSample> =>
    firstBytes({ baseUrl: server.baseUrl, apiKeys, endpointsEach: 50, everyMs: 125, changes: count }, observer);
  const dead = await deadUrls(200, defer);
  const beside = (name: string, urls: readonly string[], due: number): Contestant<FirstByteSample> => ({
    name,
    async sample() {
      const over = await trouble(stage, urls, due);
      const sample = await measure(changes);
      await over();
      return sample;
    },
  });
  // Warm-up: every endpoint has its connection and a closed circuit.
  await measure(apiKeys.length * 2);
  await pause(1000);
  return race(
    [
      { name: NAMES.unloaded, sample: () => measure(changes) },
      beside(NAMES.hangs, hostUrls(1, port, '/hangs'), backlog),
      beside(NAMES.dead, dead, 20_000),
    ],
    options.rounds,
    { warmUp: false },
  );
}

function tableOf(results: Race<FirstByteSample>): string {
  const median = (name: string, figure: (sample: FirstByteSample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const rows = [...results.keys()].map((name) => [
    name,
    median(name, ({ p50Ms }) => p50Ms),
    median(name, ({ p99Ms }) => p99Ms),
    times(ratio(results, name, NAMES.unloaded, ({ p99Ms }) => p99Ms)),
  ]);
  return table(['from commit to first byte', 'p50 ms', 'p99 ms', 'p99, of untroubled'], rows);
}
