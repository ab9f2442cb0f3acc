import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../support/process.ts';

/* A clock that can be moved and a source that can be seeded are of use only when everybody asks them. */

const SOURCE = join(repository, 'packages/server/src');

/** Files that read the machine's clock all the same, and why they may. */
const CLOCK_READERS: Readonly<Record<string, string>> = {
  'kernel/clock.ts': 'is where the clock is',
  'kernel/ids.ts': 'dates what nobody dates',
  'auth/limiters.ts': "counts in Redis, by Redis's clock",
  'events/dispatch/lease-keeper.ts': 'leases are between processes, whose time is real',
  'db/migrate.ts': 'the lease of migrations is between processes',
  'open-store.ts': 'marks a database of production, where no clock is moved',
  'ops/commands/housekeeping.ts': 'commands of the operator are processes of their own',
  'ops/commands/operator.ts': 'commands of the operator are processes of their own',
  'testing/index.ts': 'a test server in production has no other',
};

/** Files that draw from the operating system, and why a seed need not reach them. */
const RANDOM_READERS: Readonly<Record<string, string>> = {
  'kernel/random.ts': 'is where the source is',
  'kernel/ids.ts': 'draws many at once when there is no seed',
  'launch/key-pair.ts': 'has a generator of its own when there is no seed',
  'events/dispatch/dispatcher.ts': 'names of dispatchers are shown to nobody',
  'jobs/job-lease.ts': 'names of lease holders are shown to nobody',
  'jobs/start-jobs.ts': 'spreads jobs over the hour',
  'db/migrate.ts': 'names of lease holders are shown to nobody',
  'db/conflicts.ts': 'spreads repeated transactions',
  'db/sqlite-file.ts': 'spreads repeated openings',
  'ops/data-dir.ts': 'names of files that are gone a moment later',
  'sandbox/sandbox-file.ts': 'names of files that are gone a moment later',
  'testing/oauth.ts': 'is the app, not the platform',
};

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file),
);
const matching = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8'))).map((file) => relative('.', file));

describe('the server', () => {
  test('asks the one clock what time it is', () => {
    expect(matching(/\bDate\.now\b|\bnew Date\(\)/).sort()).toEqual(Object.keys(CLOCK_READERS).sort());
  });

  test('makes things up from the one source', () => {
    const pattern =
      /\bMath\.random\b|\bgenerateKeyPair\b|import \{[^}]*\b(?:random(?:Bytes|Int|UUID|FillSync)|webcrypto)\b[^}]*\} from 'node:crypto'/;
    expect(matching(pattern).sort()).toEqual(Object.keys(RANDOM_READERS).sort());
  });
});
