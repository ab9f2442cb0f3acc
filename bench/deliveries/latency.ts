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

/** The sender: the server itself, or this many workers. */
const SENDERS = [
  { name: 'by the server', workers: 0, p50: 15, p99: 100 },
  // A worker gets no wake-up and polls ten times a second.
  { name: 'by a worker apart', workers: 1, p50: 100, p99: 200 },
] as const;

/** Measures an idle server: a client is created now and then, and its event has one endpoint. */
export async function measureLatency(options: Options): Promise<void> {
  const changes = options.quick ? 60 : 400;
  const measured = [];
  for (const sender of SENDERS) measured.push({ ...sender, ...(await measure(sender, changes, options)) });
  const reached = targets(
    measured.flatMap(({ name, spread50, spread99, p50, p99 }) => [
      { what: `p50 from commit to first byte, idle, sent ${name}, ms`, measured: spread50.median, atMost: p50 },
      { what: `p99 from commit to first byte, idle, sent ${name}, ms`, measured: spread99.median, atMost: p99 },
    ]),
  );
  const about = `${changes} clients created, one each 50 ms; from the answer 201 to the first byte at the receiver:`;
  const rows = measured.flatMap(({ name, samples }) =>
    samples.map(({ p50Ms, p99Ms }, round) => [`${name}, round ${round + 1}`, number(p50Ms), number(p99Ms)]),
  );
  publish('deliveries: latency', [reached, about, table(['', 'p50 ms', 'p99 ms'], rows)], options);
}

async function measure({ name, workers }: (typeof SENDERS)[number], changes: number, options: Options) {
  const results = await onStage({ workers }, async ({ connection, server, defer }) => {
    const observer = await startChild<Observed>(new URL('./observer.ts', import.meta.url));
    defer(() => observer.stop());
    const tenants = await createEndpoints(server.baseUrl, connection, hostUrls(1, observer.ready.port, '/hook'));
    const apiKeys = tenants.map(({ apiKey }) => apiKey);
    const traffic = { baseUrl: server.baseUrl, apiKeys, endpointsEach: 1, everyMs: 50, changes };
    return race<FirstByteSample>([{ name, sample: () => firstBytes(traffic, observer) }], options.rounds);
  });
  return {
    samples: results.get(name) ?? [],
    spread50: spread(figures(results, name, ({ p50Ms }) => p50Ms)),
    spread99: spread(figures(results, name, ({ p99Ms }) => p99Ms)),
  };
}
