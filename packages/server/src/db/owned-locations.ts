import type { Transaction } from 'sequelize';
import { MOVE_UPDATED_AT } from './changes.ts';
import type { Database } from './database.ts';
import { forUpdate } from './row-lock.ts';
import { execute, select } from './sql.ts';

interface Owned {
  readonly tenantId: string;
  /** The client or group that goes. */
  readonly ownerId: string;
  readonly at: number;
}

/** Deletes the locations of a client or group that is deleted; whoever was assigned to one is assigned to none. */
export async function deleteLocationsOf(
  db: Database,
  transaction: Transaction,
  { tenantId, ownerId, at }: Owned,
): Promise<void> {
  const where = 'WHERE tenant_id = :tenantId AND owner_id = :ownerId';
  const values = { tenantId, ownerId };
  // Locked, so that nobody is assigned to one between the next two statements.
  const rows = await select<{ id: string }>(
    db,
    `SELECT id FROM locations ${where}${forUpdate(db)}`,
    values,
    transaction,
  );
  if (rows.length === 0) return;
  await execute(
    db,
    `UPDATE users SET location_id = NULL, ${MOVE_UPDATED_AT} WHERE tenant_id = :tenantId AND location_id IN (:locationIds)`,
    { tenantId, locationIds: rows.map(({ id }) => id), at },
    transaction,
  );
  await execute(db, `DELETE FROM locations ${where}`, values, transaction);
}
