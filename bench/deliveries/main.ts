import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import type { Race } from '../lib/rounds.ts';
import { figures, ratio, type Spread, spread } from '../lib/statistics.ts';
import { type DeliverySample, deliverTo, NAMES } from './scenario.ts';

const options = readOptions({ rounds: 3, quickRounds: 1 });
const scenarios = [
  { endpoints: 1, count: options.quick ? 2000 : 6000 },
  { endpoints: options.quick ? 100 : 1000, count: options.quick ? 2000 : 10_000 },
];

const reached: Target[] = [];
const blocks: string[] = [];
for (const { endpoints, count } of scenarios) {
  const results = await deliverTo(endpoints, count, options.rounds);
  const to = endpoints === 1 ? '1 endpoint' : `${endpoints.toLocaleString('en-US')} endpoints`;
  const rate = spread(figures(results, NAMES.ours, ({ perSecond }) => perSecond));
  reached.push({ what: `deliveries a second, ${to}`, measured: rate.median, shown: range(rate), atLeast: 1500 });
  blocks.push(
    `${count.toLocaleString('en-US')} deliveries to ${to}${endpoints === 1 ? '' : ', each on a host of its own'}:`,
    tableOf(results),
  );
}
publish('deliveries', [targets(reached), ...blocks], options);
process.exit(0);

function tableOf(results: Race<DeliverySample>): string {
  const median = (name: string, figure: (sample: DeliverySample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const rows = [...results.keys()].map((name) => [
    name,
    median(name, ({ perSecond }) => perSecond),
    median(name, ({ cpuMicros }) => cpuMicros),
    times(ratio(results, name, NAMES.bare, ({ cpuMicros }) => cpuMicros)),
    median(name, ({ databaseCpuMicros }) => databaseCpuMicros),
  ]);
  return table(['', 'a second', 'CPU µs a delivery', 'CPU, of bare', 'database CPU µs'], rows);
}

function range({ median, low, high }: Spread): string {
  return `${number(median)} (${number(low)}–${number(high)})`;
}
