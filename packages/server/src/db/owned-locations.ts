import type { Transaction } from 'sequelize';
import { MOVE_UPDATED_AT } from './changes.ts';
import type { Database } from './database.ts';
import { execute } from './sql.ts';

interface Owned {
  readonly tenantId: string;
  /** The client or group that is deleted. */
  readonly ownerId: string;
  readonly at: number;
}

/** Deletes the locations of a client or group. Users who were assigned to one keep no location. */
export async function deleteLocationsOf(
  db: Database,
  transaction: Transaction,
  { tenantId, ownerId, at }: Owned,
): Promise<void> {
  const where = { tenant_id: tenantId, owner_id: ownerId };
  // Locked, so that no user is assigned to one of them between the next two statements.
  const locations = await db.models.location.findAll({ where, transaction, lock: true, raw: true });
  if (locations.length === 0) return;
  await execute(
    db,
    `UPDATE users SET location_id = NULL, ${MOVE_UPDATED_AT} WHERE tenant_id = :tenantId AND location_id IN (:locationIds)`,
    { tenantId, locationIds: locations.map(({ id }) => id), at },
    transaction,
  );
  await db.models.location.destroy({ where, transaction });
}
