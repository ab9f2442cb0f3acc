import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { databaseNow } from '../db/database-clock.ts';
import { execute } from '../db/sql.ts';

/** The right of one process to run a job, by the clock of the database. */
export interface JobLease {
  /** To be called now and then. Resolves to false when it was taken over: this process was silent for too long. */
  keep(): Promise<boolean>;
  /** Lets go. `done`: the job ran to its end, and is not due again before its time. */
  end(done: boolean): Promise<void>;
}

export interface JobLeaseOptions {
  /** After so many ms of silence another process may take it. */
  readonly leaseMs: number;
  /** How long ago, in ms, the job must have run to its end, in whatever process. */
  readonly everyMs: number;
}

/** Takes the lease of a job; null when it is held, or the job not due. */
export async function takeJobLease(
  db: Database,
  job: string,
  { leaseMs, everyMs }: JobLeaseOptions,
): Promise<JobLease | null> {
  const now = databaseNow(db);
  const mine = { job, owner: randomUUID() };
  const taken = await execute(
    db,
    `UPDATE job_leases SET owner = :owner, expires_at = ${now} + :leaseMs
     WHERE job = :job AND expires_at <= ${now} AND ended_at <= ${now} - :everyMs`,
    { ...mine, leaseMs, everyMs },
  );
  if (taken === 0) return null;
  let prolongedAt = performance.now();
  return {
    async keep() {
      if (performance.now() - prolongedAt < leaseMs / 3) return true;
      prolongedAt = performance.now();
      const kept = await execute(
        db,
        `UPDATE job_leases SET expires_at = ${now} + :leaseMs WHERE job = :job AND owner = :owner`,
        { ...mine, leaseMs },
      );
      return kept > 0;
    },
    async end(done) {
      await execute(
        db,
        `UPDATE job_leases SET owner = NULL, expires_at = 0${done ? `, ended_at = ${now}` : ''}
         WHERE job = :job AND owner = :owner`,
        mine,
      );
    },
  };
}
