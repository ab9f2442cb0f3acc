import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { startChild } from '../lib/child.ts';
import { number, table, targets } from '../lib/markdown.ts';
import type { Options } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { commitBacklog, subscriptionsOf } from './backlog.ts';
import type { MemoryLine } from './heap-probe.ts';
import type { Observed } from './observer.ts';
import { hostUrls, onStage, type Stage } from './stage.ts';
import { createEndpoints } from './tenants.ts';

const ENDPOINTS = 1000;
/** Response time of each receiver in ms. */
const ANSWER_MS = 500;
const MIB = 2 ** 20;

interface Watched {
  readonly lines: readonly MemoryLine[];
  readonly inFlight: readonly number[];
  readonly delivered: number;
}

/** Measures the server's memory with the maximum number of in-flight deliveries for minutes. */
export async function measureMemory(options: Options): Promise<void> {
  const seconds = options.minutes === undefined ? (options.quick ? 20 : 600) : options.minutes * 60;
  const folder = tempFolder('bench');
  const file = join(folder.path, 'memory.jsonl');
  const nodeFlags = ['--expose-gc', '--import', new URL('./heap-probe.ts', import.meta.url).href];
  const env = { BENCH_MEMORY_FILE: file };
  const watched = await onStage({ env, nodeFlags }, (stage) => watch(stage, file, seconds)).finally(() =>
    folder.remove(),
  );
  const { lines, inFlight, delivered } = watched;
  // In the first quarter buffers, caches and compiled code grow.
  const settled = lines.slice(Math.floor(lines.length / 4));
  const heap = growth(settled, (line) => line.heap);
  const rss = growth(settled, (line) => line.rss);
  const reached = targets([
    { what: 'in-flight deliveries', measured: spread(inFlight).median, atLeast: 450 },
    { what: 'heap after collection, growth over the time, MiB', measured: heap.grown, atMost: 5 },
    { what: 'resident memory, growth over the time, %', measured: (rss.grown / rss.first) * 100, atMost: 10 },
  ]);
  const rows = [
    ['heap after collection', number(heap.first), number(heap.last), number(heap.grown)],
    ['resident', number(rss.first), number(rss.last), number(rss.grown)],
  ];
  const about = `${number(delivered)} deliveries in ${number(seconds)} s to ${ENDPOINTS} endpoints that take ${ANSWER_MS} ms, after a warm-up of a quarter; growth is the slope of the line through all, over the time:`;
  publish('deliveries: memory', [reached, about, table(['MiB', 'first', 'last', 'growth'], rows)], options);
}

async function watch({ connection, server, defer }: Stage, file: string, seconds: number): Promise<Watched> {
  const observer = await startChild<Observed>(new URL('./observer.ts', import.meta.url));
  defer(() => observer.stop());
  await createEndpoints(server.baseUrl, connection, hostUrls(ENDPOINTS, observer.ready.port, `/after/${ANSWER_MS}`));
  const subscriptions = await subscriptionsOf(connection);
  const inFlight: number[] = [];
  const before = linesOf(file).length;
  const endAt = performance.now() + seconds * 1000;
  let committed = 0;
  let delivered = 0;
  while (performance.now() < endAt) {
    while (committed - delivered < 5000) {
      await commitBacklog(connection, subscriptions, 2000);
      committed += 2000;
    }
    await pause(500);
    const { open, count } = await observer.ask('');
    delivered += count;
    inFlight.push(open);
  }
  return { lines: linesOf(file).slice(before), inFlight, delivered };
}

function linesOf(file: string): MemoryLine[] {
  const text = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** Returns MiB: the first and last value, and the slope of a least-squares line over the whole time. */
function growth(lines: readonly MemoryLine[], figure: (line: MemoryLine) => number) {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const times = lines.map(({ at }) => at);
  const values = lines.map((line) => figure(line) / MIB);
  const [time, value] = [mean(times), mean(values)];
  const above = lines.map((_, n) => ((times[n] ?? 0) - time) * ((values[n] ?? 0) - value));
  const below = times.map((at) => (at - time) ** 2);
  const slope = mean(above) / mean(below);
  const first = values[0] ?? Number.NaN;
  const last = values.at(-1) ?? Number.NaN;
  return { first, last, grown: slope * ((times.at(-1) ?? 0) - (times[0] ?? 0)) };
}
