import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type RequestRows, trimAllRequests } from '../db/trim-requests.ts';
import type { Clock } from '../kernel/clock.ts';
import { type JobLease, takeJobLease } from './job-lease.ts';
import { purgeBatches } from './purge-batches.ts';
import { purgesAt, type Retention } from './purges.ts';
import { trimSandboxes } from './trim-sandboxes.ts';

export interface HousekeepingOptions extends Retention {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Rows of the request log that a tenant keeps. */
  readonly requestRows: RequestRows;
  /** How long the job stays with a process that is silent, in ms. */
  readonly leaseMs: number;
  /** Nothing is done when a run of any process ended less than so many ms ago; 0 when absent. */
  readonly everyMs?: number;
  /** What says how long the run took, in ms; the machine's when absent. */
  readonly stopwatch?: () => number;
  /** Ends the run after the batch under way. */
  readonly signal?: AbortSignal;
}

/** Table → rows removed. */
export type HousekeepingCounts = Readonly<Record<string, number>>;

/**
 * For each ms of a batch so many go by before the next: requests come first, on the database too. SQLite's batches, and
 * the checkpoints after them, stand in the way of requests whole.
 */
const REST = { sqlite: 9, mariadb: 2, mysql: 2 } as const;

/**
 * Removes the rows that nobody needs any more. Resolves to null when another process is at it, or was a moment ago.
 * What a run that is cut off leaves behind, the next one finds.
 */
export async function runHousekeeping(options: HousekeepingOptions): Promise<HousekeepingCounts | null> {
  const { db, log, leaseMs, everyMs = 0, stopwatch = () => performance.now() } = options;
  const lease = await takeJobLease(db, 'housekeeping', { leaseMs, everyMs });
  if (!lease) {
    log.debug('housekeeping is left to another process, which is at it or was a moment ago');
    return null;
  }
  const startedAt = stopwatch();
  const counts: Record<string, number> = {};
  let done = false;
  try {
    done = await purgeAll(options, lease, counts);
  } finally {
    const ms = Math.round(stopwatch() - startedAt);
    log.info({ ...counts, ms }, done ? 'housekeeping' : 'housekeeping ended early');
    // It runs out by itself; what went wrong first is the news.
    await lease.end(done).catch(() => undefined);
  }
  return counts;
}

/** Counts as it goes. Resolves to whether it came to the end. */
async function purgeAll(
  { db, clock, signal, requestRows, ...retention }: HousekeepingOptions,
  lease: JobLease,
  counts: Record<string, number>,
): Promise<boolean> {
  let stepAt = performance.now();
  for await (const { table, rows } of steps(db, clock(), retention, requestRows)) {
    counts[table] = (counts[table] ?? 0) + rows;
    const restMs = (performance.now() - stepAt) * REST[db.kind];
    // Aborted while it waits, it says so below.
    await (restMs < 1 ? turn() : wait(restMs, undefined, { signal }).catch(() => undefined));
    if (signal?.aborted || !(await lease.keep())) return false;
    stepAt = performance.now();
  }
  return true;
}

async function* steps(
  db: Database,
  now: number,
  retention: Retention,
  requestRows: RequestRows,
): AsyncGenerator<{ readonly table: string; readonly rows: number }> {
  for (const purge of purgesAt(now, retention)) {
    const { table } = purge;
    yield { table, rows: 0 };
    for await (const rows of purgeBatches(db, purge)) yield { table, rows };
  }
  for await (const rows of trimAllRequests(db, requestRows)) yield { table: 'requests', rows };
  yield* trimSandboxes(db);
}
