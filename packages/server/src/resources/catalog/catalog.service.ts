import type { ListParams, Module, Plan } from '@plat/contract';
import { readCapabilities } from '../../accounts/capabilities.ts';
import type { Context } from '../../context.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { MODULES, type ModuleRow } from '../../db/tables/modules.ts';
import { PLANS, type PlanRow } from '../../db/tables/plans.ts';
import type { Page } from '../../http/route.ts';
import { isoTime } from '../../kernel/clock.ts';

export async function listModules(ctx: Context, params: ListParams): Promise<Page<Module>> {
  const page = await selectPage(ctx.db, { table: MODULES, kind: 'module', tenantId: null, params });
  return presentPage(page, presentModule);
}

export async function listPlans(ctx: Context, params: ListParams): Promise<Page<Plan>> {
  const page = await selectPage(ctx.db, { table: PLANS, kind: 'plan', tenantId: null, params });
  return presentPage(page, presentPlan);
}

function presentModule(row: ModuleRow): Module {
  return {
    object: 'module',
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    capabilities: readCapabilities(row.capabilities),
    launch_url: row.launch_url,
    audience: row.audience,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

function presentPlan(row: PlanRow): Plan {
  return {
    object: 'plan',
    id: row.id,
    slug: row.slug,
    name: row.name,
    currency: row.currency,
    amount: row.amount,
    interval: row.billing_interval,
    capabilities: readCapabilities(row.capabilities),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
