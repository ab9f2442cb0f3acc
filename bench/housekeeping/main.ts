import { number, table, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import type { Race } from '../lib/rounds.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { type HousekeepingSample, housekeepOn, NAMES } from './scenario.ts';

const options = readOptions({ rounds: 1, quickRounds: 1 });
const count = options.quick ? 20_000 : 1_000_000;

const blocks: string[] = [];
for (const kind of ['mariadb', 'sqlite'] as const) {
  const results = await housekeepOn(kind, count, options.rounds);
  const name = kind === 'mariadb' ? 'MariaDB' : 'SQLite';
  blocks.push(
    `${count.toLocaleString('en-US')} old events and as many deliveries of 20 tenants, ${name}, at 200 requests a second:`,
    tableOf(results),
  );
}
publish('housekeeping', blocks, options);
process.exit(0);

function tableOf(results: Race<HousekeepingSample>): string {
  const median = (name: string, figure: (sample: HousekeepingSample) => number): string =>
    number(spread(figures(results, name, figure)).median);
  const rows = [...results.keys()].map((name) => [
    name,
    median(name, ({ perSecond }) => perSecond),
    name === NAMES.without ? '–' : times(ratio(results, name, NAMES.bare, ({ perSecond }) => perSecond)),
    median(name, ({ p50Ms }) => p50Ms),
    median(name, ({ p99Ms }) => p99Ms),
    times(ratio(results, name, NAMES.without, ({ p99Ms }) => p99Ms)),
  ]);
  return table(['', 'rows a second', 'of bare', 'p50 ms', 'p99 ms', 'p99, of without'], rows);
}
