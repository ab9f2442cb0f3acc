import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/process.ts';

/* A clock that can be moved and a random source that can be seeded work only if all code uses them. */

const SOURCE = join(repository, 'packages/server/src');

/** Files that read the machine's clock, and the reason why they may. */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'kernel/clock.ts': 'defines the clock',
  'kernel/ids.ts': 'dates ids that are created without a time',
  'auth/limiters.ts': "counts in Redis, by Redis's clock",
  'events/dispatch/lease-keeper.ts': 'leases are between processes, whose time is real',
  'db/clock-watch.ts': 'compares the clock of the process with the database',
  'open-store.ts': 'marks a database of production, where no clock is moved',
  'ops/heartbeat.ts': 'compares the clock of the process with the database',
  'ops/run-command.ts': 'commands of the operator run in separate processes',
  'testing/index.ts': 'a test server in production has no other clock',
};

/** Files that draw random values from the operating system, and the reason why they need no seed. */
const RANDOM_READERS: Readonly<Record<string, string>> = {
  'kernel/random.ts': 'defines the source',
  'kernel/ids.ts': 'draws many at once when there is no seed',
  'launch/key-pair.ts': 'uses another generator when there is no seed',
  'events/dispatch/dispatcher.ts': 'names of dispatchers are internal',
  'events/dispatch/wake-channel.ts': 'names of processes are internal',
  'jobs/job-lease.ts': 'names of lease holders are internal',
  'jobs/start-jobs.ts': 'spreads jobs over the hour',
  'db/migrate.ts': 'names of lease holders are internal',
  'ops/heartbeat.ts': 'names of processes are internal',
  'db/conflicts.ts': 'spreads repeated transactions',
  'db/sandbox-lock.ts': 'spreads the changes of processes over the slots of a sandbox',
  'db/mysql-connections.ts': 'spreads the replacement of connections',
  'db/sqlite-file.ts': 'spreads repeated openings',
  'ops/data-dir.ts': 'names of files that are gone a moment later',
  'testing/oauth.ts': 'is the app, not the platform',
};

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file),
);
const matching = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8'))).map((file) => relative('.', file));

describe('the server', () => {
  test('reads the time from one clock', () => {
    expect(matching(/\bDate\.now\b|\bnew Date\(\)/).sort()).toEqual(Object.keys(CLOCK_READERS).sort());
  });

  test('draws random values from one source', () => {
    const pattern =
      /\bMath\.random\b|\bgenerateKeyPair\b|import \{[^}]*\b(?:random(?:Bytes|Int|UUID|FillSync)|webcrypto)\b[^}]*\} from 'node:crypto'/;
    expect(matching(pattern).sort()).toEqual(Object.keys(RANDOM_READERS).sort());
  });
});
