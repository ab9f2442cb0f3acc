import type { PlanInterval } from '@plat/contract';
import { slug as slugSchema } from '@plat/contract/schemas';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { Models } from '../db/tables/index.ts';
import type { ModuleRow } from '../db/tables/modules.ts';
import type { PlanRow } from '../db/tables/plans.ts';
import { isValid } from '../http/validate.ts';
import { laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';

/** The modules and plans of the platform, from the operator's catalog file. */
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
  /** Price, in minor units. */
  readonly amount: number;
  readonly interval: PlanInterval;
  readonly capabilities: readonly string[];
}

/**
 * Creates or updates the modules and plans of a catalog, by their slugs. Others stay unchanged, because tenants and
 * roles may refer to them.
 */
export async function applyCatalog(
  db: Database,
  transaction: Transaction,
  { modules, plans }: Catalog,
  now: number,
): Promise<void> {
  for (const { capabilities, launch_url = null, audience = null, ...module } of modules) {
    const row = { ...module, capabilities: JSON.stringify(capabilities), launch_url, audience };
    await storeModule(db.models, transaction, row, now);
  }
  for (const { capabilities, interval, ...plan } of plans) {
    const row = { ...plan, capabilities: JSON.stringify(capabilities), billing_interval: interval };
    await storePlan(db.models, transaction, row, now);
  }
}

async function storeModule(
  { module }: Models,
  transaction: Transaction,
  row: Omit<ModuleRow, 'id' | 'created_at' | 'updated_at'>,
  now: number,
): Promise<void> {
  const before = await module.findOne({ where: { slug: row.slug }, transaction, lock: true, raw: true });
  if (before) {
    const updated_at = laterThan(before.updated_at, now);
    await module.update({ ...row, updated_at }, { where: { id: before.id }, transaction });
  } else {
    await module.create({ ...row, id: newId('module', now), created_at: now, updated_at: now }, { transaction });
  }
}

async function storePlan(
  { plan }: Models,
  transaction: Transaction,
  row: Omit<PlanRow, 'id' | 'created_at' | 'updated_at'>,
  now: number,
): Promise<void> {
  const before = await plan.findOne({ where: { slug: row.slug }, transaction, lock: true, raw: true });
  if (before) {
    const updated_at = laterThan(before.updated_at, now);
    await plan.update({ ...row, updated_at }, { where: { id: before.id }, transaction });
  } else {
    await plan.create({ ...row, id: newId('plan', now), created_at: now, updated_at: now }, { transaction });
  }
}

/** Returns true if the catalog has a module or a plan. */
export async function hasCatalog(db: Database, transaction: Transaction): Promise<boolean> {
  const { module, plan } = db.models;
  return (await module.count({ transaction })) + (await plan.count({ transaction })) > 0;
}

/** Returns the id of the plan with a slug, or null. */
export async function findPlanId(db: Database, transaction: Transaction | null, slug: string): Promise<string | null> {
  if (!isSlug(slug)) return null;
  const row = await db.models.plan.findOne({ where: { slug }, transaction, raw: true });
  return row?.id ?? null;
}

const SLUG = slugSchema();

/** Returns true if a plan or a module may have this slug. Other text never reaches the database, whose column is ASCII. */
export function isSlug(text: string): boolean {
  return isValid(SLUG, text);
}
