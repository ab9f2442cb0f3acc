import type { Transaction } from 'sequelize';
import { findPlanId } from '../../accounts/catalog.ts';
import { findTenant } from '../../accounts/tenants.ts';
import { OPERATOR, openChange } from '../../change.ts';
import type { Database } from '../../db/database.ts';
import { violates } from '../../db/errors.ts';
import { readSchema } from '../../db/migrate.ts';
import { selectOne } from '../../db/sql.ts';
import { columnsOf } from '../../db/statements.ts';
import { type AnyRow, insertRows, rowsPerInsert } from '../../db/table-rows.ts';
import type { Table } from '../../db/tables/table.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { deleteTenantRows } from '../../jobs/delete-tenants.ts';
import type { JobLease } from '../../jobs/job-lease.ts';
import { createSealer, markOf, type Sealer } from '../../kernel/seal.ts';
import { CommandError } from '../command-error.ts';
import { loadMasterKeys } from '../data-dir.ts';
import { withImportLease } from '../import-lease.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import {
  ARCHIVE_FORMAT,
  type ArchiveFile,
  digestOf,
  EXPORTED,
  type Manifest,
  readManifest,
  readRows,
} from '../tenant-archive.ts';
import type { Operator } from './operator.ts';

/** Tables of the last transaction: until the tenant exists, its keys must not. */
const LAST: ReadonlySet<string> = new Set(['api_keys', 'previous_api_keys', 'tenants']);

/**
 * Creates a tenant from the files of an export. It stays suspended. Rows of an import that was cut off are deleted first.
 * @throws {@link CommandError} for an export that is damaged or does not fit: then nothing of it stays
 */
export async function importTenant({ db, config, now }: Operator, folder: string): Promise<readonly ArchiveFile[]> {
  const manifest = await readManifest(folder).catch(() => {
    throw new CommandError(`${folder} is no complete export: it has no manifest that can be read`);
  });
  await requireFit(db, manifest);
  const { id: tenantId, plan: slug } = manifest.tenant;
  await requireAbsent(db, tenantId);
  const planId = slug === null ? null : await planHere(db, tenantId, slug);
  const parts = EXPORTED.map(({ table, sql }) => ({ table, sql, file: fileOf(manifest, table) }));
  const sealer = createSealer(loadMasterKeys(config));
  const check = checkOf(db, sealer, tenantId);
  for (const { table, file } of parts) {
    if ((await digestOf(folder, file.file)) !== file.sha256) {
      throw new CommandError(`${file.file} was changed after the export, or copied in part: copy the folder again`);
    }
    for await (const page of readRows(folder, file.file, rowsPerInsert(table))) {
      for (const row of page) await check(table, row);
    }
  }
  await withImportLease(db, tenantId, (lease) =>
    insertAll({ db, now, sealer, folder, tenantId, planId, parts, lease }),
  );
  return manifest.files;
}

interface ImportWork extends Pick<Operator, 'db' | 'now'> {
  readonly sealer: Sealer;
  readonly folder: string;
  readonly tenantId: string;
  /** Id that the tenant's plan has in this installation. */
  readonly planId: string | null;
  readonly parts: readonly { readonly table: Table; readonly sql: string; readonly file: ArchiveFile }[];
  readonly lease: JobLease;
}

async function insertAll({ db, now, sealer, folder, tenantId, planId, parts, lease }: ImportWork): Promise<void> {
  // Another import may have completed before this one had the lease.
  await requireAbsent(db, tenantId);
  for await (const _ of deleteTenantRows(db, tenantId));
  try {
    const last: { readonly table: Table; readonly page: readonly AnyRow[] }[] = [];
    for (const { table, file } of parts) {
      for await (const rows of readRows(folder, file.file, rowsPerInsert(table))) {
        const sealed = rows.map((row) => sealedAgain(sealer, table, row));
        const page = table.name === 'tenants' ? sealed.map((row) => ({ ...row, plan_id: planId })) : sealed;
        if (LAST.has(table.name)) last.push({ table, page });
        else await insert(db, table, page);
      }
    }
    await unitOfWork(db, async (transaction) => {
      if (!(await lease.hold(transaction)))
        throw new CommandError('another import took over; nothing of this one stays');
      for (const { table, page } of last) await insert(db, table, page, transaction);
      for (const { table, sql, file } of parts) {
        const count = `SELECT COUNT(*) AS n FROM ${table.name} WHERE ${sql}`;
        const found = await selectOne<{ n: number }>(db, count, { tenantId }, transaction);
        if (found?.n === file.rows) continue;
        throw new CommandError(`${table.name} has ${found?.n} rows, not ${file.rows}: another import may be running`);
      }
      await db.models.tenant.update({ delete_after: null }, { where: { id: tenantId }, transaction });
      const change = openChange({ db, tenantId, now }, transaction, OPERATOR);
      await change.audit({ action: 'tenant.imported', target: { type: 'tenant', id: tenantId }, at: now });
    });
  } catch (error) {
    // The commit may have been done although its answer was lost. Without the lease, the rows are those of another import.
    const isOwn = !(await findTenant(db, tenantId, null)) && (await lease.renew());
    if (isOwn) for await (const _ of deleteTenantRows(db, tenantId));
    throw error;
  }
}

async function requireAbsent(db: Database, tenantId: string): Promise<void> {
  if (await findTenant(db, tenantId, null)) throw new CommandError(`there is a tenant ${tenantId} already`);
}

async function requireFit(db: Database, { format, migrations }: Manifest): Promise<void> {
  if (format !== ARCHIVE_FORMAT) throw new CommandError(`the export has the format ${format}, not ${ARCHIVE_FORMAT}`);
  const { applied, newer } = await readSchema(db);
  const own = new Set([...applied.map(({ name }) => name), ...newer]);
  const exported = new Set(migrations);
  const differing = [...own].find((name) => !exported.has(name)) ?? migrations.find((name) => !own.has(name));
  if (differing !== undefined) {
    const whose = own.has(differing) ? 'the export lacks' : 'the database lacks';
    throw new CommandError(`${whose} the migration ${differing}: export and import with the same version`);
  }
}

function fileOf({ files }: Manifest, { name }: Table): ArchiveFile {
  const file = files.find((entry) => entry.table === name);
  if (file?.file !== `${name}.ndjson`) throw new CommandError(`the manifest has no file of ${name}`);
  return file;
}

async function planHere(db: Database, tenantId: string, slug: string): Promise<string> {
  const id = await findPlanId(db, null, slug);
  if (id !== null) return id;
  throw new CommandError(
    `the catalog has no plan "${slug}", which the tenant uses: add it with plat-server catalog apply, or end it before the export with plat-server tenants plan ${tenantId} --none`,
  );
}

/** Returns a function that refuses a row which cannot be inserted, or could not be used. */
function checkOf(db: Database, sealer: Sealer, tenantId: string): (table: Table, row: AnyRow) => Promise<void> {
  const apps = new Set<string>();
  const requireApp = async (id: string): Promise<void> => {
    if (apps.has(id)) return;
    if (!(await db.models.oauthApp.findByPk(id, { raw: true }))) {
      throw new CommandError(`the installation has no app ${id}, which the tenant uses`);
    }
    apps.add(id);
  };
  return async (table, row) => {
    const { name } = table;
    const owner = name === 'tenants' ? row['id'] : (row['tenant_id'] ?? tenantId);
    const columns = columnsOf(table);
    if (owner !== tenantId || Object.keys(row).sort().join() !== [...columns].sort().join()) {
      throw new CommandError(`${name}.ndjson has a row that is not of ${tenantId}, or has other columns`);
    }
    // Ended consents outlive a deleted app.
    if (name === 'oauth_grants' && row['status'] === 'active') await requireApp(String(row['app_id']));
    sealedAgain(sealer, table, row);
  };
}

/**
 * Returns a row with its secrets sealed under the first master key: the servers may have no other one.
 * @throws {@link CommandError} for a secret that no master key opens
 */
function sealedAgain(sealer: Sealer, { name }: Table, row: AnyRow): AnyRow {
  const sealed: Record<string, Buffer> = {};
  for (const { table, column, purposeOf, kind } of SEALED_COLUMNS) {
    const value = row[column];
    if (table !== name || !(value instanceof Uint8Array)) continue;
    const purpose = purposeOf(String(row['id']));
    try {
      const text = sealer.open(Buffer.from(value), purpose);
      if (markOf(value) !== sealer.marks[0]) sealed[column] = sealer.seal(text, purpose);
    } catch {
      throw new CommandError(
        `the ${kind} of ${row['id']} cannot be opened: add the master key of the exporting installation to PLAT_MASTER_KEY, after the first`,
      );
    }
  }
  return { ...row, ...sealed };
}

async function insert(
  db: Database,
  table: Table,
  rows: readonly AnyRow[],
  transaction: Transaction | null = null,
): Promise<void> {
  try {
    await insertRows(db, table, rows, transaction);
  } catch (error) {
    const taken = table.uniqueIndexes.find((index) => violates(error, index));
    if (!taken) throw error;
    throw new CommandError(`another tenant has a value of ${table.name} (${taken.columns.join(', ')}) already`);
  }
}
