import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { PollLoop } from '../../kernel/poll-loop.ts';
import { runBatch } from './replay-batch.ts';
import { type ClaimedReplay, createReplayJobs } from './replay-jobs.ts';
import { countEvents, windowOf } from './replay-window.ts';

export interface ReplayerOptions {
  readonly db: Database;
  readonly log: Logger;
  /** The time by which jobs and deliveries are due; the database's when absent, so that no machine's clock matters. */
  readonly clock?: Clock | undefined;
  /** How often it is looked for jobs, in ms. */
  readonly pollMs?: number;
  /** How long a job stays with a process that is silent, in ms. */
  readonly leaseMs?: number;
  /** Called when deliveries were made due. */
  scheduled(): void;
}

/** Works on replays of many events. Any number of processes may each have one on the same database. */
export interface Replayer {
  start(): void;
  /** Resolves when no job is due or worked on here, or the signal says to wait no more. At once when not started. */
  idle(signal?: AbortSignal): Promise<void>;
  /** Ends after the batch under way, and leaves the rest to the others. */
  stop(): Promise<void>;
}

/** Batches of a job before it is another one's turn. */
const SLICE = 20;
/** For each ms of a batch so many go by before the next: requests come first, and on SQLite a batch stands in their way whole. */
const REST = { sqlite: 4, mariadb: 1, mysql: 1 } as const;
/** How long the jobs of a suspended tenant wait before they are looked at again, in ms. */
const SUSPENDED_MS = 5_000;

export function createReplayer({
  db,
  log,
  clock,
  pollMs = 250,
  leaseMs = 15_000,
  scheduled,
}: ReplayerOptions): Replayer {
  const jobs = createReplayJobs(db, clock);
  const loop = new PollLoop({
    pollMs,
    async look() {
      const job = await jobs.claim(leaseMs);
      if (job) await work(job);
      return job !== null;
    },
    failed: (error) => log.warn({ err: error }, 'replays could not be worked on; trying again'),
    isAnyDue: () => jobs.isAnyDue(),
  });

  return {
    start: () => loop.start(),
    idle: (signal) => loop.idle(signal),
    stop: () => loop.stop(),
  };

  async function work(job: ClaimedReplay): Promise<void> {
    if (job.tenant_status === 'suspended') return jobs.putBack(job, SUSPENDED_MS);
    if (job.status === 'pending' && !(await begin(job))) return;
    const rooms = new Map<string, number>();
    for (let batch = 0; batch < SLICE && loop.isRunning; batch++) {
      const startedAt = performance.now();
      const done = await runBatch(job, { db, jobs, leaseMs, rooms });
      if (done.scheduled > 0) scheduled();
      if (!done.goesOn) return;
      // A millisecond at least: deliveries of the next batch come behind those of this one.
      await wait(Math.max(1, (performance.now() - startedAt) * REST[db.kind]));
    }
    await jobs.putBack(job, 0);
  }

  /** Resolves to whether the job is still ours. */
  async function begin(job: ClaimedReplay): Promise<boolean> {
    let total = 0;
    let prolongedAt = performance.now();
    for await (const count of countEvents(db, windowOf(job, job.now))) {
      total += count;
      if (performance.now() - prolongedAt < leaseMs / 3) continue;
      prolongedAt = performance.now();
      if (!(await jobs.keep(job, leaseMs))) return false;
    }
    return jobs.begin(job, total);
  }
}
