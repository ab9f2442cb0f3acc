import { startChild } from '../lib/child.ts';
import { number, table, targets } from '../lib/markdown.ts';
import type { Options } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { race } from '../lib/rounds.ts';
import { figures, spread } from '../lib/statistics.ts';
import type { Observed } from './observer.ts';
import { hostUrls, onStage } from './stage.ts';
import { createEndpoints } from './tenants.ts';
import { type FirstByteSample, firstBytes } from './traffic.ts';

const NAME = 'one change at a time';

/** An idle server: a client is created now and then, and its event goes to one endpoint. */
export async function measureLatency(options: Options): Promise<void> {
  const changes = options.quick ? 60 : 400;
  const results = await onStage({}, async ({ connection, server, defer }) => {
    const observer = await startChild<Observed>(new URL('./observer.ts', import.meta.url));
    defer(() => observer.stop());
    const tenants = await createEndpoints(server.baseUrl, connection, hostUrls(1, observer.ready.port, '/hook'));
    const apiKeys = tenants.map(({ apiKey }) => apiKey);
    const traffic = { baseUrl: server.baseUrl, apiKeys, endpointsEach: 1, everyMs: 50, changes };
    return race<FirstByteSample>([{ name: NAME, sample: () => firstBytes(traffic, observer) }], options.rounds);
  });
  const p50 = spread(figures(results, NAME, ({ p50Ms }) => p50Ms)).median;
  const p99 = spread(figures(results, NAME, ({ p99Ms }) => p99Ms)).median;
  const reached = targets([
    { what: 'p50 from commit to first byte, idle, ms', measured: p50, atMost: 15 },
    { what: 'p99 from commit to first byte, idle, ms', measured: p99, atMost: 100 },
  ]);
  const rows = (results.get(NAME) ?? []).map(({ p50Ms, p99Ms }, round) => [
    `round ${round + 1}`,
    number(p50Ms),
    number(p99Ms),
  ]);
  const about = `${changes} clients created, one each 50 ms; from the answer 201 to the first byte at the receiver:`;
  publish('deliveries: latency', [reached, about, table(['', 'p50 ms', 'p99 ms'], rows)], options);
}
