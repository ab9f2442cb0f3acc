import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { PollLoop } from '../../kernel/poll-loop.ts';
import { isBeingImported, isSuspended } from '../outbox/owner-status.ts';
import { runBatch } from './replay-batch.ts';
import { type ClaimedReplay, createReplayJobs } from './replay-jobs.ts';
import { countEvents, windowOf } from './replay-window.ts';

export interface ReplayerOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Clock of due times. Defaults to the database's clock, so that clocks of machines may differ. */
  readonly clock?: Clock | undefined;
  /** Interval of polls for jobs, in ms. */
  readonly pollMs?: number;
  /** Time after which another process takes over the job of a dead one, in ms. */
  readonly leaseMs?: number;
}

/** Works on replays of many events. Several processes may run one each on the same database. */
export interface Replayer {
  start(): void;
  /** Resolves when no job is due or in progress here; at once when not started. Also when the signal is aborted. */
  idle(signal?: AbortSignal): Promise<void>;
  /** Ends after the current batch, and leaves the rest to other processes. */
  stop(): Promise<void>;
}

/** Number of batches of a job before the next job. */
const SLICE = 20;
/** Pause for each ms of a batch, in ms: requests take precedence, and on SQLite a batch blocks them entirely. */
const REST = { sqlite: 4, mariadb: 1, mysql: 1 } as const;
/** Delay before the job of a tenant that is suspended or being imported is read again, in ms. */
const SUSPENDED_MS = 5_000;

export function createReplayer({ db, log, clock, pollMs = 250, leaseMs = 15_000 }: ReplayerOptions): Replayer {
  const jobs = createReplayJobs(db, clock);
  const loop = new PollLoop({
    pollMs,
    async poll() {
      const job = await jobs.claim(leaseMs);
      if (job) await work(job);
      return job !== null;
    },
    failed: (error) => log.warn({ err: error }, 'could not process replays; retrying'),
    isAnyDue: () => jobs.isAnyDue(),
  });

  return {
    start: () => loop.start(),
    idle: (signal) => loop.idle(signal),
    stop: () => loop.stop(),
  };

  async function work(job: ClaimedReplay): Promise<void> {
    if (isSuspended(job) || isBeingImported(job)) return jobs.release(job, SUSPENDED_MS);
    if (job.status === 'pending' && !(await begin(job))) return;
    const allowances = new Map<string, number>();
    for (let batch = 0; batch < SLICE && loop.isRunning; batch++) {
      const startedAt = performance.now();
      if (!(await runBatch(job, { db, jobs, leaseMs, allowances }))) return;
      // At least a millisecond, so that the deliveries of the next batch sort after those of this one.
      await wait(Math.max(1, (performance.now() - startedAt) * REST[db.kind]));
    }
    await jobs.release(job, 0);
  }

  /** Counts the events. Resolves to false when the lease ended. */
  async function begin(job: ClaimedReplay): Promise<boolean> {
    let total = 0;
    let renewedAt = performance.now();
    for await (const count of countEvents(db, windowOf(job, job.now))) {
      total += count;
      if (performance.now() - renewedAt < leaseMs / 3) continue;
      renewedAt = performance.now();
      if (!(await jobs.renew(job, leaseMs))) return false;
    }
    return jobs.begin(job, total);
  }
}
