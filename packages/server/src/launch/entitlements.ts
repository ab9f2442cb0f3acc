import type { Transaction } from 'sequelize';
import { capabilityCatalog, readCapabilities, visibleCapabilities } from '../accounts/capabilities.ts';
import type { Database } from '../db/database.ts';

/** A user's role and client, which determine the entitlements. */
export interface Entitled {
  readonly tenantId: string;
  readonly clientId: string;
  /** Name of a role. */
  readonly role: string;
}

/**
 * Returns sorted capability ids: those of the tenant's plan, within the client's limit, that the role can see
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

/** Returns the capabilities of the tenant's plan, sorted. Empty without a plan. */
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

/** Returns the capabilities to which a client is limited. Null means no limit: it has all of its tenant's. */
export async function clientLimit(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId }: Pick<Entitled, 'tenantId' | 'clientId'>,
): Promise<readonly string[] | null> {
  const where = { tenant_id: tenantId, client_id: clientId };
  const row = await db.models.clientLimit.findOne({ where, transaction, raw: true });
  return row ? readCapabilities(row.capabilities) : null;
}
