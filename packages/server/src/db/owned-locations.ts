import type { Transaction } from 'sequelize';
import { movedUpdatedAt } from './changes.ts';
import type { Database } from './database.ts';

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
  await db.models.user.update(
    { location_id: null, updated_at: movedUpdatedAt(at) },
    { where: { tenant_id: tenantId, location_id: locations.map(({ id }) => id) }, transaction },
  );
  await db.models.location.destroy({ where, transaction });
}
