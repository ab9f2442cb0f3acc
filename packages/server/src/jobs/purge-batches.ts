import type { Database } from '../db/database.ts';
import { execute, type SqlValues, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Purge } from './purges.ts';

/** Rows in a batch. SQLite works on the thread that serves requests, so its batches are smaller. */
const BATCH = { sqlite: 200, mariadb: 500, mysql: 500 } as const;

/**
 * Deletes the rows of a purge in short transactions, and yields the number of deleted rows after each step (0 after a step
 * that only read). The caller may stop between two steps, and two processes may run the same purge.
 */
export async function* purgeBatches(db: Database, purge: Purge): AsyncGenerator<number, void, void> {
  if (!purge.byTenant) return yield* purgeRange(db, purge, null);
  // Visits the tenants that have rows, also deleted tenants. MIN always reads one index entry; for ORDER BY with LIMIT 1
  // MariaDB sometimes sorts instead.
  const next = `SELECT MIN(tenant_id) AS tenant_id FROM ${purge.table} WHERE tenant_id > :after`;
  for (let after = ''; ; ) {
    const tenant = await selectOne<{ tenant_id: string | null }>(db, next, { after });
    if (!tenant?.tenant_id) return;
    yield* purgeRange(db, purge, tenant.tenant_id);
    after = tenant.tenant_id;
  }
}

/**
 * Deletes a range in batches. Each batch starts where the last one ended, so that rows that stay, and InnoDB's marks of
 * deleted rows, are read once.
 */
export async function* purgeRange(
  db: Database,
  { table, column, from, below, only }: Purge,
  tenantId: string | null,
): AsyncGenerator<number, void, void> {
  const tenant = tenantId === null ? '' : 'tenant_id = :tenantId AND ';
  const find = `SELECT COUNT(*) AS found, MAX(${column}) AS last FROM (
      SELECT ${column} FROM ${table} WHERE ${tenant}${column} > :after AND ${column} < :below
      ORDER BY ${column} LIMIT ${BATCH[db.kind]}
    ) batch`;
  const remove = `DELETE FROM ${table}
    WHERE ${tenant}${column} > :after AND ${column} <= :last${only ? ` AND ${only}` : ''}`;
  for (let after = from; ; ) {
    const range: SqlValues = tenantId === null ? { after } : { tenantId, after };
    const batch = await selectOne<{ found: number; last: string | number }>(db, find, { ...range, below });
    if (!batch || batch.found === 0) return yield 0;
    const { found, last } = batch;
    yield await unitOfWork(db, (transaction) => execute(db, remove, { ...range, last }, transaction));
    if (found < BATCH[db.kind]) return;
    after = last;
  }
}
