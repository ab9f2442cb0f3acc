import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Op, type Transaction } from 'sequelize';
import { OPERATOR, openChange } from '../../change.ts';
import { readDatabaseClock } from '../../db/clock-watch.ts';
import type { Database } from '../../db/database.ts';
import { readSchema } from '../../db/migrate.ts';
import { type AnyRow, rowsAfter, rowsPerInsert } from '../../db/table-rows.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import type { TenantRows } from '../../db/tenant-tables.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { isoTime } from '../../kernel/clock.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import { CommandError } from '../command-error.ts';
import { ARCHIVE_FORMAT, type ArchiveFile, EXPORTED, MANIFEST, type Manifest, writeRows } from '../tenant-archive.ts';
import { VERSION } from '../version.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** Time before the export whose audit events are counted, in ms: the clocks of other processes may be behind. */
const OVERLAP_MS = 3_600_000;

/**
 * Writes the rows of a suspended tenant to a new folder.
 * @throws {@link CommandError} for a tenant whose rows change meanwhile: it is active, is being deleted, or is billed
 */
export async function exportTenant({ db, now }: Operator, tenantId: string, folder: string): Promise<ArchiveFile[]> {
  const { tenant, changes } = await unitOfWork(db, async (transaction) => {
    const found = await tenantOf(db, tenantId, transaction);
    if (found.status !== 'suspended') {
      throw new CommandError(
        `an active tenant changes during the export; first: plat-server tenants suspend ${tenantId}`,
      );
    }
    if (isBeingDeleted(found, now)) {
      throw new CommandError(`the grace of ${tenantId} is over, and rows of it may be deleted already`);
    }
    const change = openChange({ db, tenantId, now }, transaction, OPERATOR);
    await change.audit({ action: 'tenant.exported', target: { type: 'tenant', id: tenantId }, at: now });
    // Inside the transaction: without a folder there is no export to audit.
    await createFolder(folder);
    return { tenant: found, changes: await countChanges(db, tenantId, now, transaction) };
  });
  const files: ArchiveFile[] = [];
  for (const rows of EXPORTED) files.push(await writeRows(folder, rows.table.name, pagesOf(db, rows, tenantId)));
  const after = await tenantOf(db, tenantId);
  const isChanged = after.updated_at !== tenant.updated_at || (await countChanges(db, tenantId, now)) !== changes;
  if (isChanged || isBeingDeleted(after, await readDatabaseClock(db))) {
    throw new CommandError(`${tenantId} changed during the export: delete ${folder}, and export it again`);
  }
  const plan = tenant.plan_id === null ? null : await db.models.plan.findByPk(tenant.plan_id, { raw: true });
  const { applied, newer } = await readSchema(db);
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    version: VERSION,
    migrations: [...applied.map(({ name }) => name), ...newer],
    tenant: { id: tenant.id, name: tenant.name, plan: plan?.slug ?? null },
    exported_at: isoTime(now),
    files,
  };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return files;
}

async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const fix = error.code === 'ENOENT' ? 'create the folder above it first' : 'give a folder that does not exist yet';
    throw new CommandError(`${folder} cannot be created (${error.code}): ${fix}`);
  });
}

/** Counts the recent changes of a tenant: each has an audit event. Billing systems change suspended tenants, too. */
function countChanges(
  db: Database,
  tenantId: string,
  now: number,
  transaction: Transaction | null = null,
): Promise<number> {
  const since = lowestIdAt('audit_event', now - OVERLAP_MS);
  return db.models.auditEvent.count({ where: { tenant_id: tenantId, id: { [Op.gte]: since } }, transaction });
}

function isBeingDeleted({ delete_after }: TenantRow, now: number): boolean {
  return delete_after !== null && delete_after <= now;
}

async function* pagesOf(db: Database, { table, sql }: TenantRows, tenantId: string): AsyncGenerator<readonly AnyRow[]> {
  const only = { sql, values: { tenantId } };
  for (let after: AnyRow | null = null; ; ) {
    const page: readonly AnyRow[] = await rowsAfter(db, table, after, rowsPerInsert(table), { only });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1) ?? null;
  }
}
