import { number, type Target, table, targets, times } from '../lib/markdown.ts';
import { readOptions } from '../lib/options.ts';
import { publish } from '../lib/report.ts';
import { type Contestant, type Race, race } from '../lib/rounds.ts';
import { callAsyncFor, callFor, type Sample } from '../lib/sample.ts';
import { figures, ratio, spread } from '../lib/statistics.ts';
import { NAMES, type Verifier, verifiersOf } from './contestants.ts';
import { startLaunch } from './token.ts';

const PARALLEL = 50;

const options = readOptions({ rounds: 20, quickRounds: 5 });
const ms = options.quick ? 60 : 120;
/** Sequential runs compare processor time, which other programs do not change. */
const perCpuSecond = ({ cpuMicros }: Sample): number => 1e6 / cpuMicros;
/** Parallel runs compare throughput. */
const perSecond = ({ perSecond: rate }: Sample): number => rate;

const launch = await startLaunch();
try {
  const { sync, async } = verifiersOf(launch);
  // All return the same and have loaded keys from here on. The keys of verify also serve verifySync.
  for (const each of [...async, ...sync]) await check(each);

  const synchronous = await race(
    sync.map((each) => bySync(each)),
    options.rounds,
  );
  const serial = await race(
    async.map((each) => inParallel(each, 1)),
    options.rounds,
  );
  const parallel = await race(
    async.map((each) => inParallel(each, PARALLEL)),
    options.rounds,
  );

  const of = (
    what: string,
    results: Race<Sample>,
    name: string,
    to: string,
    atLeast: number,
    figure = perCpuSecond,
  ): Target => {
    const measured = ratio(results, name, to, figure);
    return { what, measured: measured.median, shown: times(measured), atLeast };
  };
  const reached = [
    of('verifySync of crypto.verify alone', synchronous, NAMES.sync, NAMES.limit, 0.72),
    of('verifySync of aws-jwt-verify verifySync', synchronous, NAMES.sync, NAMES.awsSync, 1.2),
    of('verify of crypto.verify alone', serial, NAMES.verify, NAMES.limit, 0.8),
    of('verify of jose', serial, NAMES.verify, NAMES.jose, 2),
    of('verify of aws-jwt-verify verify', serial, NAMES.verify, NAMES.aws, 1.2),
    of(
      `verify, pooled, ${PARALLEL} parallel, of crypto.verify alone`,
      parallel,
      NAMES.pooled,
      NAMES.limit,
      1,
      perSecond,
    ),
  ];
  publish(
    'launch',
    [
      targets(reached),
      'At once:',
      tableOf(synchronous),
      'Promises, one after another:',
      tableOf(serial),
      `Promises, ${PARALLEL} parallel:`,
      tableOf(parallel),
    ],
    options,
  );
} finally {
  launch.stop();
}

function bySync({ name, verify }: Verifier): Contestant<Sample> {
  return { name, sample: () => callFor(ms, verify) };
}

function inParallel({ name, verify }: Verifier, parallel: number): Contestant<Sample> {
  return { name, sample: () => callAsyncFor(ms, parallel, async () => verify()) };
}

async function check({ name, verify }: Verifier): Promise<void> {
  if ((await verify()) !== launch.claims.user) throw new Error(`${name} did not say who launches`);
}

function tableOf(results: Race<Sample>): string {
  const rows = [...results.keys()].map((name) => [
    name,
    number(spread(figures(results, name, perSecond)).median),
    times(ratio(results, name, NAMES.limit, perSecond)),
    number(spread(figures(results, name, perCpuSecond)).median),
    times(ratio(results, name, NAMES.limit, perCpuSecond)),
  ]);
  return table(['', 'a second', 'of crypto.verify', 'a CPU second', 'of crypto.verify'], rows);
}
