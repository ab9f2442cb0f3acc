import { ascii, instant, nullable, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** A periodic job and the process that runs it. Times are those of the database's clock. */
export const JOB_LEASES = defineTable('job_leases', {
  job: primaryKey(ascii(64)),
  owner: nullable(ascii(64)),
  expires_at: instant(),
  /** Time at which the job last finished, in any process. */
  ended_at: instant(),
});
