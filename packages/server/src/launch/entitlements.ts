import type { Transaction } from 'sequelize';
import { capabilityCatalog, readCapabilities, visibleCapabilities } from '../accounts/capabilities.ts';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import type { RoleRow } from '../db/tables/roles.ts';

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
  const row = await selectOne<Pick<RoleRow, 'name' | 'built_in' | 'capabilities'>>(
    db,
    'SELECT name, built_in, capabilities FROM roles WHERE tenant_id = :tenantId AND name = :role',
    { tenantId, role },
    transaction,
  );
  const visible = new Set(row ? visibleCapabilities(row, await capabilityCatalog({ db, transaction })) : []);
  return plan.filter((id) => visible.has(id) && (limit === null || limit.includes(id)));
}

/** What the tenant's plan has, sorted; nothing without a plan. */
export async function planCapabilities(
  db: Database,
  transaction: Transaction | null,
  tenantId: string,
): Promise<readonly string[]> {
  const row = await selectOne<{ capabilities: string }>(
    db,
    'SELECT p.capabilities FROM tenants t JOIN plans p ON p.id = t.plan_id WHERE t.id = :tenantId',
    { tenantId },
    transaction,
  );
  return [...new Set(row ? readCapabilities(row.capabilities) : [])].sort();
}

/** What a client is limited to; null: to nothing, it has what its tenant has. */
export async function clientLimit(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId }: Pick<Entitled, 'tenantId' | 'clientId'>,
): Promise<readonly string[] | null> {
  const row = await selectOne<{ capabilities: string }>(
    db,
    'SELECT capabilities FROM client_limits WHERE tenant_id = :tenantId AND client_id = :clientId',
    { tenantId, clientId },
    transaction,
  );
  return row ? readCapabilities(row.capabilities) : null;
}
