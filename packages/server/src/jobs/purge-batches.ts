import type { Database } from '../db/database.ts';
import { execute, type SqlValues, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Purge } from './purges.ts';

/** Rows at a time. SQLite works on the thread that serves requests, so its batches end sooner. */
const BATCH = { sqlite: 200, mariadb: 500, mysql: 500 } as const;

/**
 * Removes what a purge is about, one short transaction after the other, and yields the number of rows after each step
 * (0 for one that only looked). It may be left between any two steps, and run by two processes at once.
 */
export async function* purgeBatches(db: Database, purge: Purge): AsyncGenerator<number, void, void> {
  if (!purge.byTenant) return yield* purgeRange(db, purge, null);
  // From one tenant that has rows to the next, whether or not there still is such a tenant. MIN is one look at an index
  // by rule; ORDER BY with LIMIT 1 is one by the optimizer's guess, and MariaDB has been seen to sort instead.
  const next = `SELECT MIN(tenant_id) AS tenant_id FROM ${purge.table} WHERE tenant_id > :after`;
  for (let after = ''; ; ) {
    const tenant = await selectOne<{ tenant_id: string | null }>(db, next, { after });
    if (!tenant?.tenant_id) return;
    yield* purgeRange(db, purge, tenant.tenant_id);
    after = tenant.tenant_id;
  }
}

/**
 * Each batch begins where the last one ended: rows that stay are passed once, and the marks that deleted rows leave
 * behind in InnoDB are not read again and again.
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
