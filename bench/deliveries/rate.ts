import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import type { Options } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import type { Race } from '../lib/rounds.ts';
import { figures, ratio, type Spread, spread } from '../lib/statistics.ts';
import { type DeliverySample, deliverTo, NAMES } from './scenario.ts';

/** Measures a backlog, sent by one process and by two, to one endpoint and to many. */
export async function measureRate(options: Options): Promise<void> {
  const { quick, rounds } = options;
  const reached: Target[] = [];
  const blocks: string[] = [];
  for (const workers of [1, 2]) {
    for (const endpoints of quick ? [1, 100] : [1, 1000]) {
      const count = quick ? 3000 : 20_000;
      const results = await deliverTo({ workers, endpoints, count }, rounds);
      const ours = (figure: (sample: DeliverySample) => number): Spread => spread(figures(results, NAMES.ours, figure));
      const by = `${plural(workers, 'worker')}, ${plural(endpoints, 'endpoint')}`;
      const rate = ours(({ perSecond }) => perSecond);
      const trips = ours((sample) => sample.trips);
      reached.push(
        { what: `deliveries a second, ${by}`, measured: rate.median, shown: range(rate), atLeast: 3000 },
        { what: `trips to the database for 50, ${by}`, measured: trips.median, shown: range(trips), atMost: 2 },
      );
      blocks.push(`${number(count)} deliveries, ${by}:`, tableOf(results));
    }
  }
  publish('deliveries', [targets(reached), ...blocks], options);
}

function tableOf(results: Race<DeliverySample>): string {
  const median = (name: string, figure: (sample: DeliverySample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const rows = [...results.keys()].map((name) => [
    name,
    median(name, ({ perSecond }) => perSecond),
    median(name, ({ cpuMicros }) => cpuMicros),
    times(ratio(results, name, NAMES.bare, ({ cpuMicros }) => cpuMicros)),
    median(name, ({ databaseCpuMicros }) => databaseCpuMicros),
    median(name, ({ trips }) => trips),
  ]);
  return table(['', 'a second', 'CPU µs a delivery', 'CPU, of bare', 'database CPU µs', 'trips for 50'], rows);
}

function plural(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

function range({ median, low, high }: Spread): string {
  return `${number(median)} (${number(low)}–${number(high)})`;
}
