import { startChild } from '../lib/child.ts';
import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Race, race } from '../lib/rounds.ts';
import type { Sample } from '../lib/sample.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { bundleSize } from './bundle-size.ts';
import { calls, contestants, NAMES } from './contestants.ts';
import { importTimes } from './import-time.ts';
import { heapGrowth, ITEMS, PAGING, pagingContestants } from './paging.ts';
import { CALLS, REFRESH, refreshContestants } from './refresh.ts';

const options = readOptions({ rounds: 15, quickRounds: 3 });
const ms = options.quick ? 200 : 300;
const perSecond = ({ perSecond: rate }: Sample): number => rate;
const perCpu = ({ cpuMicros }: Sample): number => 1 / cpuMicros;

const server = await startChild<number>(new URL('./server.ts', import.meta.url));
const port = server.ready;
await checkAnswers();
const sequential = await race(contestants(port, 1, ms), options.rounds);
const parallel = await race(contestants(port, 50, ms), options.rounds);
const paging = await race(pagingContestants(port), options.quick ? 2 : 5);
const growth = await heapGrowth(port);
const refreshRounds = options.quick ? 5 : 30;
const before = await server.ask('tokens given');
const refreshing = await race(await refreshContestants(port), refreshRounds);
// The warm-up adds a round, and the consent used a pair too.
const refreshes = ((await server.ask('tokens given')) - before - 1) / (refreshRounds + 1);
await server.stop();
const whole = "export * from '@plat/sdk';";
const bundles = { node: await bundleSize('node', whole), browser: await bundleSize('browser', whole) };
const imports = await importTimes(options.rounds * 2);
const withOAuth = await bundleSize('browser', `${whole} export * from '@plat/sdk/oauth';`);

const msOf = (name: string) => figures(refreshing, name, (time) => time);
const extra = spread(msOf(REFRESH.expired).map((time, round) => time - (msOf(REFRESH.valid)[round] ?? Number.NaN)));
const shownMs = ({ median, low, high }: typeof extra) =>
  [median, low, high].map((value) => value.toFixed(1)).join(' / ');
const pageRatio = ratio(paging, PAGING.ours, PAGING.hand, (rate) => rate);
publish(
  'sdk',
  [
    targets([
      ...callTargets('sequential', sequential),
      ...callTargets('50 parallel', parallel),
      {
        what: '100,000 items paged, of the hand loop',
        measured: pageRatio.median,
        shown: times(pageRatio),
        atLeast: 0.9,
      },
      { what: 'heap growth over 90,000 items, MB', measured: growth / 1e6, atMost: 1 },
      { what: 'whole client for Node, gzipped, kB', measured: bundles.node / 1000, atMost: 20 },
      { what: 'whole client for browsers, gzipped, kB', measured: bundles.browser / 1000, atMost: 20 },
      { what: 'the same with all of OAuth, gzipped, kB', measured: withOAuth / 1000, atMost: 26 },
      { what: `refreshes for ${CALLS} parallel calls on an expired token`, measured: refreshes, atMost: 1 },
      {
        what: 'ms that these take more than on a valid one',
        measured: extra.median,
        shown: shownMs(extra),
        atMost: 100,
      },
      ...[...imports].map(([version, times]) => ({
        what: `import on Node ${version}, CPU ms more than an empty module`,
        measured: times.median,
        shown: shownMs(times),
        atMost: 10,
      })),
    ]),
    'One call after another:',
    tableOf(sequential),
    '50 calls at any time:',
    tableOf(parallel),
    `${ITEMS.toLocaleString('en-US')} items in pages of 100:`,
    table(
      ['', 'items a second'],
      [...paging.keys()].map((name) => [name, number(spread(figures(paging, name, (rate) => rate)).median)]),
    ),
    `${CALLS.toLocaleString('en-US')} parallel calls that act for one tenant:`,
    table(
      ['', 'ms until the last is answered'],
      [...refreshing.keys()].map((name) => [name, number(spread(msOf(name)).median)]),
    ),
  ],
  options,
);
process.exit(0);

/** Asserts that all clients read the same object. */
async function checkAnswers(): Promise<void> {
  for (const [name, call] of calls(port)) {
    const answer = JSON.stringify(await call());
    if (!answer.includes('"slug":"harbour-coffee-1"')) throw new Error(`${name} did not read the object: ${answer}`);
  }
}

function callTargets(how: string, results: Race<Sample>): Target[] {
  const rate = (to: string, atLeast: number): Target => {
    const measured = ratio(results, NAMES.ours, to, perSecond);
    return { what: `${how}, of ${to}`, measured: measured.median, shown: times(measured), atLeast };
  };
  const cpu = (ours: string, to: string): Target => {
    const measured = ratio(results, ours, to, ({ cpuMicros }) => cpuMicros);
    return { what: `${how}: CPU of ${ours}, of ${to}`, measured: measured.median, shown: times(measured), atMost: 1.1 };
  };
  return [
    rate(NAMES.bare, 0.85),
    rate(NAMES.stripe, 1.5),
    cpu(NAMES.ours, NAMES.bare),
    cpu(NAMES.onFetch, NAMES.fetch),
    cpu(NAMES.onFetch, NAMES.needed),
  ];
}

function tableOf(results: Race<Sample>): string {
  const rows = [...results.keys()].map((name) => [
    name,
    number(spread(figures(results, name, perSecond)).median),
    times(ratio(results, name, NAMES.bare, perSecond)),
    number(spread(figures(results, name, ({ cpuMicros }) => cpuMicros)).median),
    times(ratio(results, name, NAMES.bare, perCpu)),
  ]);
  return table(
    ['', 'calls a second', 'of bare node:http', 'CPU µs a call', 'calls a CPU second, of bare node:http'],
    rows,
  );
}
