import type { Logger } from 'pino';
import { BATCH } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import { oneOfKeys } from '../db/one-of-keys.ts';
import { execute, select } from '../db/sql.ts';
import { type AnyRow, rowsAfter } from '../db/table-rows.ts';
import { DEVELOPERS } from '../db/tables/developers.ts';
import { primaryKeyOf } from '../db/tables/table.ts';
import { APP_ROWS_ABOUT_TENANT, TENANT_ROWS, type TenantRows } from '../db/tenant-tables.ts';
import { unitOfWork } from '../db/unit-of-work.ts';

interface Step {
  readonly table: string;
  readonly rows: number;
}

/** SQL: the tenants whose grace is over. An active tenant is never deleted. */
const IS_DUE = "status = 'suspended' AND delete_after <= :dueBy";
/** Time between the end of the grace and the deletion, in ms: a restoration that began within the grace ends first. */
const RESTORING_MS = 3_600_000;
/** SQL: an app of the tenant's developer would end with the account, and with it the consents of other tenants. */
const HAS_APPS =
  'EXISTS (SELECT 1 FROM oauth_apps a JOIN developers d ON d.id = a.developer_id WHERE d.tenant_id = tenants.id)';

/**
 * Deletes the tenants whose grace is over with all their rows, in batches, and yields the number of deleted rows after
 * each. The row of the tenant is the last one, so the next run continues after one that was cut off.
 */
export async function* deleteTenants(db: Database, log: Logger, now: number): AsyncGenerator<Step, void, void> {
  const dueBy = now - RESTORING_MS;
  const due = await select<{ id: string; has_apps: 0 | 1 }>(
    db,
    `SELECT id, ${HAS_APPS} AS has_apps FROM tenants WHERE ${IS_DUE} ORDER BY delete_after, id`,
    { dueBy },
  );
  for (const { id: tenantId, has_apps } of due) {
    if (has_apps === 1) {
      log.warn({ tenant_id: tenantId }, 'a tenant is not deleted: its developer has OAuth apps; delete them first');
      continue;
    }
    let total = 0;
    for await (const step of deleteTenantRows(db, tenantId)) {
      total += step.rows;
      yield step;
    }
    const remove = `DELETE FROM tenants WHERE id = :tenantId AND ${IS_DUE}`;
    const rows = await unitOfWork(db, (transaction) => execute(db, remove, { tenantId, dueBy }, transaction));
    log.info({ tenant_id: tenantId, rows: total + rows }, 'a tenant was deleted');
    yield { table: 'tenants', rows };
  }
}

/** Deletes all rows of a tenant but its own. Yields the number of deleted rows after each batch. */
export async function* deleteTenantRows(db: Database, tenantId: string): AsyncGenerator<Step, void, void> {
  const parts = [...APP_ROWS_ABOUT_TENANT, ...TENANT_ROWS.slice(0, -1)];
  const isDeveloper = ({ table }: TenantRows) => table === DEVELOPERS;
  // Repeated until nothing is left: a request that began earlier may have written behind the first round.
  for (let found = -1; found !== 0; ) {
    found = 0;
    for (const part of parts.filter((each) => !isDeveloper(each))) {
      for await (const rows of deleteRows(db, part, tenantId)) {
        found += rows;
        yield { table: part.table.name, rows };
      }
    }
  }
  // Afterwards, because it finds the rows of a developer who signed in meanwhile.
  for (const part of parts.filter(isDeveloper)) {
    for await (const rows of deleteRows(db, part, tenantId)) yield { table: part.table.name, rows };
  }
}

async function* deleteRows(db: Database, { table, sql }: TenantRows, tenantId: string): AsyncGenerator<number> {
  const part = { only: { sql, values: { tenantId } }, columns: primaryKeyOf(table).columns };
  for (let after: AnyRow | null = null; ; ) {
    const keys: readonly AnyRow[] = await rowsAfter(db, table, after, BATCH[db.kind], part);
    if (keys.length === 0) return;
    const where = oneOfKeys(keys, part.columns);
    yield await unitOfWork(db, (transaction) => db.sequelize.model(table.name).destroy({ where, transaction }));
    if (keys.length < BATCH[db.kind]) return;
    after = keys.at(-1) ?? null;
  }
}
