import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute } from './sql.ts';

/** The end of a SELECT whose rows are about to change. SQLite's one writer needs no row locks. */
export function forUpdate(db: Database): string {
  return db.kind === 'sqlite' ? '' : ' FOR UPDATE';
}

/**
 * Holds the row of a tenant until the end of the transaction: whoever else wants it waits. For rules over many rows of
 * a tenant (the last owner, the number of endpoints) that two changes at once could each keep and together break. It
 * writes, since on a cluster only what was written collides with another node's transaction.
 */
export async function lockTenant(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  await execute(db, 'UPDATE tenants SET locks = locks + 1 WHERE id = :tenantId', { tenantId }, transaction);
}
