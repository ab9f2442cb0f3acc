import type { Migration } from './columns.ts';

/** Rows that changes and resets of a sandbox write (decision 052). They appear with the first change. */
export const sandboxLocks: Migration = {
  name: '0038-sandbox-locks',
  async up({ types: t, createTable }) {
    await createTable('sandbox_locks', [
      `tenant_id ${t.id} NOT NULL`,
      `slot ${t.integer} NOT NULL`,
      'changes BIGINT NOT NULL',
      'PRIMARY KEY (tenant_id, slot)',
    ]);
  },
};
