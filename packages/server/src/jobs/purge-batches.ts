import { BATCH } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import { rowsByAge } from '../db/rows-by-age.ts';
import { execute, PRIMARY, type SqlValues, selectOne, usingIndex } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Purge, Range } from './purges.ts';

/**
 * Deletes the rows of a purge in short transactions, and yields the number of deleted rows after each step (0 after a step
 * that only read). The caller may stop between two steps, and two processes may run the same purge.
 */
export async function* purgeBatches(db: Database, purge: Purge): AsyncGenerator<number, void, void> {
  if (!purge.byTenant) return yield* purgeRange(db, purge, null);
  const { table, from, below, only } = purge;
  for (let after = from; ; ) {
    const batch = await rowsByAge(db, table, { after, below }, BATCH[db.kind]);
    const last = batch.at(-1)?.id;
    if (last === undefined) return yield 0;
    // The batch has every row between its bounds, so these are the same for each of its tenants.
    const remove = `DELETE FROM ${table}
      WHERE tenant_id IN (:tenants) AND id > :after AND id <= :last${only ? ` AND ${only(db)}` : ''}`;
    const values = { tenants: [...new Set(batch.map((row) => row.tenant_id))], after, last };
    yield await unitOfWork(db, (transaction) => execute(db, remove, values, transaction));
    if (batch.length < BATCH[db.kind]) return;
    after = last;
  }
}

/**
 * Deletes a range in batches. Each batch starts where the last one ended, so that rows that stay, and InnoDB's marks of
 * deleted rows, are read once.
 */
export async function* purgeRange(
  db: Database,
  { table, column, from, below, only }: Range,
  tenantId: string | null,
): AsyncGenerator<number, void, void> {
  const tenant = tenantId === null ? '' : 'tenant_id = :tenantId AND ';
  const index = tenantId !== null && column === 'id' ? usingIndex(db, PRIMARY) : '';
  const find = `SELECT COUNT(*) AS found, MAX(${column}) AS last FROM (
      SELECT ${column} FROM ${table} ${index} WHERE ${tenant}${column} > :after AND ${column} < :below
      ORDER BY ${column} LIMIT ${BATCH[db.kind]}
    ) batch`;
  const remove = `DELETE FROM ${table}
    WHERE ${tenant}${column} > :after AND ${column} <= :last${only ? ` AND ${only(db)}` : ''}`;
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
