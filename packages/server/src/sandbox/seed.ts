import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';

/** A tenant with nothing in it. */
export async function createTenant(
  db: Database,
  transaction: Transaction,
  tenant: { readonly name: string; readonly sandbox: boolean; readonly now: number },
): Promise<string> {
  const id = newId('tenant', tenant.now);
  await db.models.tenant.create(
    {
      id,
      name: tenant.name,
      status: 'active',
      plan_id: null,
      sandbox: tenant.sandbox ? 1 : 0,
      created_at: tenant.now,
      updated_at: tenant.now,
    },
    { transaction },
  );
  return id;
}

/** The seeded content of a sandbox (specification, What the service does). */
export async function seedSandbox(
  db: Database,
  transaction: Transaction,
  tenantId: string,
  now: number,
): Promise<void> {
  await db.models.client.bulkCreate(
    [
      { name: 'Harbour Coffee Roasters', slug: 'harbour-coffee' },
      { name: 'Harbour Coffee, Pier Nine', slug: 'harbour-coffee-pier-nine' },
    ].map((client) => ({
      ...client,
      tenant_id: tenantId,
      id: newId('client', now),
      status: 'active' as const,
      custom_domain: null,
      created_at: now,
      updated_at: now,
    })),
    { transaction },
  );
}
