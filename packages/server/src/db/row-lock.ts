import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute } from './sql.ts';

/** Returns the end of a SELECT whose rows are about to change. SQLite has one writer and needs no row locks. */
export function forUpdate(db: Database): string {
  return db.kind === 'sqlite' ? '' : ' FOR UPDATE';
}

/**
 * Keeps the objects on which a change relies, and does not write, from being deleted by another node of a Galera cluster
 * meanwhile: there, {@link forUpdate} is local to one node. Comes before all other locks of the transaction, in the changes that
 * delete such objects too.
 */
export async function lockReferences(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.isCluster) await lockTenant(db, tenantId, transaction);
}

/**
 * Locks the row of a tenant until the end of the transaction; other calls wait. For rules over many rows of a tenant (the
 * last owner, the number of endpoints), which two concurrent changes could each satisfy and together break. It writes,
 * because on a cluster only written rows collide with the transaction of another node.
 */
export async function lockTenant(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  await execute(db, 'UPDATE tenants SET locks = locks + 1 WHERE id = :tenantId', { tenantId }, transaction);
}
