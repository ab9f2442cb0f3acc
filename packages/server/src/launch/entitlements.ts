import type { Transaction } from 'sequelize';
import { capabilityCatalog, readCapabilities, visibleCapabilities } from '../accounts/capabilities.ts';
import type { Database } from '../db/database.ts';

/** Whose entitlements, and where. */
export interface Entitled {
  readonly tenantId: string;
  readonly clientId: string;
  /** Name of a role. */
  readonly role: string;
}

/**
 * Capability ids, sorted: those of the tenant's plan that the client is not kept from and that the role can see
 * (specification, Launch token claims).
 */
export async function entitlementsOf(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId, role }: Entitled,
): Promise<readonly string[]> {
  const plan = await planCapabilities(db, transaction, tenantId);
  if (plan.length === 0) return [];
  const limit = await clientLimit(db, transaction, { tenantId, clientId });
  const row = await db.models.role.findOne({ where: { tenant_id: tenantId, name: role }, transaction, raw: true });
  const visible = new Set(row ? visibleCapabilities(row, await capabilityCatalog({ db, transaction })) : []);
  return plan.filter((id) => visible.has(id) && (limit === null || limit.includes(id)));
}

/** What the tenant's plan has, sorted; nothing without a plan. */
export async function planCapabilities(
  db: Database,
  transaction: Transaction | null,
  tenantId: string,
): Promise<readonly string[]> {
  const tenant = await db.models.tenant.findByPk(tenantId, { transaction, raw: true });
  if (!tenant?.plan_id) return [];
  const plan = await db.models.plan.findByPk(tenant.plan_id, { transaction, raw: true });
  return [...new Set(plan ? readCapabilities(plan.capabilities) : [])].sort();
}

/** What a client is limited to; null: to nothing, it has what its tenant has. */
export async function clientLimit(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId }: Pick<Entitled, 'tenantId' | 'clientId'>,
): Promise<readonly string[] | null> {
  const where = { tenant_id: tenantId, client_id: clientId };
  const row = await db.models.clientLimit.findOne({ where, transaction, raw: true });
  return row ? readCapabilities(row.capabilities) : null;
}
