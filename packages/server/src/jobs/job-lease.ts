import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { databaseNow } from '../db/database-clock.ts';
import { execute, selectOne } from '../db/sql.ts';

/** Lease of a job, by the clock of the database: one process runs the job. */
export interface JobLease {
  /** Time at which the job last reached its end, in ms; 0 if it never did. */
  readonly endedAt: number;
  /** Renews the lease; call it regularly. Resolves to false when another process took it over. */
  renew(): Promise<boolean>;
  /** Keeps the lease until the end of a transaction. Resolves to false when another process took it over. */
  hold(transaction: Transaction): Promise<boolean>;
  /**
   * Ends the lease.
   * @param done the job reached its end, and is not due again before its interval has passed
   */
  end(done: boolean): Promise<void>;
}

export interface JobLeaseOptions {
  /** Time without a renewal after which another process may take the lease, in ms. */
  readonly leaseMs: number;
  /** Minimum time since the job reached its end in any process, in ms. */
  readonly everyMs: number;
}

/** Takes the lease of a job. Resolves to null when another process holds it, or the job is not due. */
export async function takeJobLease(
  db: Database,
  job: string,
  { leaseMs, everyMs }: JobLeaseOptions,
): Promise<JobLease | null> {
  const now = databaseNow(db);
  const key = { job, owner: randomUUID() };
  const taken = await execute(
    db,
    `UPDATE job_leases SET owner = :owner, expires_at = ${now} + :leaseMs
     WHERE job = :job AND expires_at <= ${now} AND ended_at <= ${now} - :everyMs`,
    { ...key, leaseMs, everyMs },
  );
  if (taken === 0) return null;
  const last = await selectOne<{ ended_at: number }>(db, 'SELECT ended_at FROM job_leases WHERE job = :job', { job });
  let renewedAt = performance.now();
  const extend = async (transaction: Transaction | null): Promise<boolean> => {
    const sql = `UPDATE job_leases SET expires_at = ${now} + :leaseMs WHERE job = :job AND owner = :owner`;
    return (await execute(db, sql, { ...key, leaseMs }, transaction)) > 0;
  };
  return {
    endedAt: last?.ended_at ?? 0,
    async renew() {
      if (performance.now() - renewedAt < leaseMs / 3) return true;
      renewedAt = performance.now();
      return extend(null);
    },
    hold: extend,
    async end(done) {
      await execute(
        db,
        `UPDATE job_leases SET owner = NULL, expires_at = 0${done ? `, ended_at = ${now}` : ''}
         WHERE job = :job AND owner = :owner`,
        key,
      );
    },
  };
}
