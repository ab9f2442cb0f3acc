import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { agreedNow } from '../db/clock-watch.ts';
import type { Database } from '../db/database.ts';
import { movedNow } from '../db/database-clock.ts';
import { type RequestRows, trimAllRequests } from '../db/trim-requests.ts';
import { count, gauge } from '../kernel/meter.ts';
import { deleteAppEndpoints } from './delete-app-endpoints.ts';
import { deleteTenants } from './delete-tenants.ts';
import { type JobLease, takeJobLease } from './job-lease.ts';
import { purgeBatches } from './purge-batches.ts';
import { purgesAt, type Retention } from './purges.ts';
import { trimSandboxes } from './trim-sandboxes.ts';

export interface HousekeepingOptions extends Retention {
  readonly db: Database;
  /** Maximum difference between the clocks of this process and the database, in ms. */
  readonly maxClockOffsetMs: number;
  readonly log: Logger;
  /** Maximum number of request log entries of a tenant. */
  readonly requestRows: RequestRows;
  /** Time after which another process takes over the job of one that has ended, in ms. */
  readonly leaseMs: number;
  /** Minimum time since the last run of any process ended, in ms; defaults to 0. */
  readonly everyMs?: number;
  /** Clock of the run's duration, in ms; defaults to the machine's. */
  readonly stopwatch?: () => number;
  /** Ends the run after the current batch. */
  readonly signal?: AbortSignal;
}

/** Table → rows removed. */
export type HousekeepingCounts = Readonly<Record<string, number>>;

/**
 * Pause for each ms of a batch, in ms: requests take precedence, in the database too. SQLite's batches and the checkpoints
 * after them block requests entirely.
 */
const PAUSE_PER_MS = { sqlite: 9, mariadb: 2, mysql: 2 } as const;

/** Rows of the last run's end are read again: they have the time of their request, and commit later. */
const OVERLAP_MS = 3_600_000;

/**
 * Deletes expired rows. Resolves to null when the run did not reach its end: another process does so now, took it over or
 * did so recently, or the signal ended it. The next run deletes the rows that it left.
 * @throws ClockOffsetError when the clocks differ too much: any of them may be wrong, so nothing is deleted
 */
export async function runHousekeeping(options: HousekeepingOptions): Promise<HousekeepingCounts | null> {
  const { db, log, leaseMs, everyMs = 0, maxClockOffsetMs, stopwatch = () => performance.now() } = options;
  const now = await agreedNow(db, maxClockOffsetMs);
  const lease = await takeJobLease(db, 'housekeeping', { leaseMs, everyMs });
  if (!lease) {
    log.debug('housekeeping is skipped: another process runs it now, or did so recently');
    return null;
  }
  const startedAt = stopwatch();
  const counts: Record<string, number> = {};
  let done = false;
  try {
    done = await purgeAll(options, movedNow(db) ?? now, lease, counts);
  } finally {
    const ms = Math.round(stopwatch() - startedAt);
    gauge('plat_housekeeping_duration_seconds', {}, ms / 1000);
    log.info({ ...counts, ms }, done ? 'housekeeping' : 'housekeeping ended early');
    // The lease expires by itself; the first error is the one to report.
    await lease.end(done).catch(() => undefined);
  }
  return done ? counts : null;
}

/** Adds the deleted rows to `counts`. Resolves to true when the run reached its end. */
async function purgeAll(
  { db, log, signal, requestRows, ...retention }: HousekeepingOptions,
  now: number,
  lease: JobLease,
  counts: Record<string, number>,
): Promise<boolean> {
  let stepAt = performance.now();
  // A moved clock leaves rows of any time.
  const since = movedNow(db) === undefined ? lease.endedAt - OVERLAP_MS : 0;
  for await (const { table, rows } of steps({ db, log }, { now, since: Math.max(since, 0) }, retention, requestRows)) {
    counts[table] = (counts[table] ?? 0) + rows;
    count('plat_housekeeping_removed_total', { table }, rows);
    const pauseMs = (performance.now() - stepAt) * PAUSE_PER_MS[db.kind];
    // An abort during the pause is handled below.
    await (pauseMs < 1 ? turn() : wait(pauseMs, undefined, { signal }).catch(() => undefined));
    if (signal?.aborted || !(await lease.renew())) return false;
    stepAt = performance.now();
  }
  return true;
}

async function* steps(
  { db, log }: Pick<HousekeepingOptions, 'db' | 'log'>,
  { now, since }: { readonly now: number; readonly since: number },
  retention: Retention,
  requestRows: RequestRows,
): AsyncGenerator<{ readonly table: string; readonly rows: number }> {
  for (const purge of purgesAt(now, retention)) {
    const { table } = purge;
    yield { table, rows: 0 };
    for await (const rows of purgeBatches(db, purge)) yield { table, rows };
  }
  for await (const rows of trimAllRequests(db, requestRows, since)) yield { table: 'requests', rows };
  yield* trimSandboxes(db, since);
  yield* deleteAppEndpoints(db);
  yield* deleteTenants(db, log, now);
}
