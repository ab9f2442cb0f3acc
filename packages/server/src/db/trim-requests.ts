import { lowestIdAt } from '../kernel/ids.ts';
import { BATCH } from './batch.ts';
import type { Database } from './database.ts';
import { tenantsSince } from './rows-by-age.ts';
import { execute, PRIMARY, selectOne, usingIndex } from './sql.ts';
import { unitOfWork } from './unit-of-work.ts';

/** Number of request log rows that a tenant keeps, by its kind. */
export interface RequestRows {
  readonly sandbox: number;
  readonly production: number;
}

/**
 * Removes the oldest rows of a tenant beyond the number that it keeps, in short transactions. Yields the number of rows
 * after each step. Two processes that trim at once may remove some more.
 */
export async function* trimRequests(db: Database, tenantId: string, keep: number): AsyncGenerator<number, void, void> {
  // The narrowest index: the rows themselves are wide.
  const count = `SELECT COUNT(*) AS found FROM requests ${usingIndex(db, 'requests_outcome')} WHERE tenant_id = :tenantId`;
  const { found = 0 } = (await selectOne<{ found: number }>(db, count, { tenantId })) ?? {};
  for (let excess = Number(found) - keep; excess > 0; excess -= BATCH[db.kind]) {
    const offset = Math.min(BATCH[db.kind], excess) - 1;
    const sql = `SELECT id FROM requests ${usingIndex(db, PRIMARY)} WHERE tenant_id = :tenantId ORDER BY id LIMIT 1 OFFSET ${offset}`;
    const last = await selectOne<{ id: string }>(db, sql, { tenantId });
    if (!last) return;
    const remove = 'DELETE FROM requests WHERE tenant_id = :tenantId AND id <= :last';
    yield await unitOfWork(db, (transaction) => execute(db, remove, { tenantId, last: last.id }, transaction));
  }
}

/** Does the same for every tenant with entries after an instant. */
export async function* trimAllRequests(
  db: Database,
  keep: RequestRows,
  since: number,
): AsyncGenerator<number, void, void> {
  const kind = 'SELECT sandbox FROM tenants WHERE id = :tenantId';
  for await (const tenants of tenantsSince(db, 'requests', lowestIdAt('request', since))) {
    for (const tenantId of tenants) {
      const tenant = await selectOne<{ sandbox: 0 | 1 }>(db, kind, { tenantId });
      yield* trimRequests(db, tenantId, tenant?.sandbox === 0 ? keep.production : keep.sandbox);
      yield 0;
    }
  }
}
