import type { Migration } from './columns.ts';

export const jobs: Migration = {
  name: '0008-jobs',
  async up({ types: t, createTable, run }) {
    await createTable('job_leases', [
      `job ${t.ascii(64)} NOT NULL`,
      `owner ${t.ascii(64)} NULL`,
      `expires_at ${t.instant} NOT NULL`,
      `ended_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (job)',
    ]);
    await run('DELETE FROM job_leases');
    await run("INSERT INTO job_leases (job, owner, expires_at, ended_at) VALUES ('housekeeping', NULL, 0, 0)");
  },
};
