import type { PlanInterval } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { forUpdate } from '../db/row-lock.ts';
import { execute, selectOne } from '../db/sql.ts';
import { laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';

/** The modules and plans of the platform, as the operator writes them down. */
export interface Catalog {
  readonly modules: readonly CatalogModule[];
  readonly plans: readonly CatalogPlan[];
}

export interface CatalogModule {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly launch_url?: string | null;
  readonly audience?: string | null;
}

export interface CatalogPlan {
  readonly slug: string;
  readonly name: string;
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  readonly interval: PlanInterval;
  readonly capabilities: readonly string[];
}

/**
 * Brings modules and plans to what a catalog says, by their slugs. What it does not name stays: tenants and roles may
 * refer to it.
 */
export async function applyCatalog(
  db: Database,
  transaction: Transaction,
  { modules, plans }: Catalog,
  now: number,
): Promise<void> {
  for (const { capabilities, launch_url = null, audience = null, ...module } of modules) {
    const row = { ...module, capabilities: JSON.stringify(capabilities), launch_url, audience };
    await upsert(db, transaction, { table: 'modules', kind: 'module', row, now });
  }
  for (const { capabilities, interval, ...plan } of plans) {
    const row = { ...plan, capabilities: JSON.stringify(capabilities), billing_interval: interval };
    await upsert(db, transaction, { table: 'plans', kind: 'plan', row, now });
  }
}

interface Upsert {
  readonly table: 'modules' | 'plans';
  readonly kind: 'module' | 'plan';
  readonly row: { readonly slug: string } & Readonly<Record<string, string | number | null>>;
  readonly now: number;
}

async function upsert(db: Database, transaction: Transaction, { table, kind, row, now }: Upsert): Promise<void> {
  const columns = Object.keys(row);
  const before = await selectOne<{ id: string; updated_at: number }>(
    db,
    `SELECT id, updated_at FROM ${table} WHERE slug = :slug${forUpdate(db)}`,
    { slug: row.slug },
    transaction,
  );
  const sql = before
    ? `UPDATE ${table} SET ${columns.map((column) => `${column} = :${column}`).join(', ')}, updated_at = :at WHERE id = :id`
    : `INSERT INTO ${table} (id, ${columns.join(', ')}, created_at, updated_at)
       VALUES (:id, ${columns.map((column) => `:${column}`).join(', ')}, :at, :at)`;
  const at = before ? laterThan(before.updated_at, now) : now;
  await execute(db, sql, { ...row, id: before?.id ?? newId(kind, now), at }, transaction);
}

/** Whether there is a module or a plan. */
export async function hasCatalog(db: Database, transaction: Transaction): Promise<boolean> {
  const sql = 'SELECT id FROM modules UNION ALL SELECT id FROM plans LIMIT 1';
  return (await selectOne(db, sql, {}, transaction)) !== undefined;
}

/** The id of the plan with a slug, or null. */
export async function findPlanId(db: Database, transaction: Transaction, slug: string): Promise<string | null> {
  const row = await selectOne<{ id: string }>(db, 'SELECT id FROM plans WHERE slug = :slug', { slug }, transaction);
  return row?.id ?? null;
}
