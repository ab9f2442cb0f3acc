import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';

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
