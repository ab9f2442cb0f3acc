import type { Tenant, TenantUpdateParams } from '@plat/contract';
import { findTenant, presentTenant, renameTenant } from '../../accounts/tenants.ts';
import type { Context, WriteContext } from '../../context.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';

export async function getTenant(ctx: Context): Promise<Tenant> {
  return presentTenant(await ownTenant(ctx));
}

export async function updateTenant(ctx: WriteContext, { name }: TenantUpdateParams): Promise<Tenant> {
  const before = await ownTenant(ctx);
  return name === undefined ? presentTenant(before) : renameTenant(ctx, before, name);
}

async function ownTenant({ db, tenantId, transaction }: Context): Promise<TenantRow> {
  const row = await findTenant(db, tenantId, transaction);
  if (!row) throw new Error(`the tenant ${tenantId} of a valid credential does not exist`);
  return row;
}
