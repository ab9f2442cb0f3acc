import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { type JobLease, takeJobLease } from '../jobs/job-lease.ts';
import { CommandError } from './command-error.ts';

/** Time after which another import takes over from one that was killed, in ms. */
const LEASE_MS = 5000;
const POLL_MS = 200;
/** Time to wait for another import, in ms. */
const WAIT_MS = 30_000;

/**
 * Runs the import of a tenant while no other process imports it: both would delete and insert the same rows. Waits for another
 * import to end.
 * @throws {@link CommandError} when the other import does not end in time
 */
export async function withImportLease<T>(
  db: Database,
  tenantId: string,
  work: (lease: JobLease) => Promise<T>,
): Promise<T> {
  const job = `import ${tenantId}`;
  const lease = await takeLease(db, job);
  if (lease === null) throw new CommandError(`another import of ${tenantId} is running: try again when it has ended`);
  const heartbeat = setInterval(() => void lease.renew().catch(() => undefined), LEASE_MS / 5);
  try {
    return await work(lease);
  } finally {
    clearInterval(heartbeat);
    // A failure must not hide the error of the work. The lease expires by itself.
    await endLease(db, job, lease).catch(() => undefined);
  }
}

async function takeLease(db: Database, job: string): Promise<JobLease | null> {
  const rows = [{ job, owner: null, expires_at: 0, ended_at: 0 }];
  for (const end = performance.now() + WAIT_MS; ; await wait(POLL_MS)) {
    // Another import that ended meanwhile has deleted the row.
    await unitOfWork(db, (transaction) => db.models.jobLease.bulkCreate(rows, { ignoreDuplicates: true, transaction }));
    const lease = await takeJobLease(db, job, { leaseMs: LEASE_MS, everyMs: 0 });
    if (lease !== null || performance.now() >= end) return lease;
  }
}

async function endLease(db: Database, job: string, lease: JobLease): Promise<void> {
  await lease.end(false);
  await unitOfWork(db, (transaction) => db.models.jobLease.destroy({ where: { job, owner: null }, transaction }));
}
