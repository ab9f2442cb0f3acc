import type { GroupOwner } from '@plat/contract';
import type { Change } from '../change.ts';
import type { GroupOwnerRow } from '../db/tables/group-owners.ts';
import type { UserRow } from '../db/tables/users.ts';
import { isoTime } from '../kernel/clock.ts';

/** An owner with columns of the user's row. */
export interface OwnerView extends Omit<GroupOwnerRow, 'tenant_id'> {
  readonly email: string;
  readonly user_status: UserRow['status'];
}

/** Converts a row to an owner. An accepted invitation stays accepted, even if the user is suspended later. */
export function presentOwner(row: OwnerView): GroupOwner {
  return {
    object: 'group_owner',
    group_id: row.group_id,
    user_id: row.user_id,
    email: row.email,
    status: row.user_status === 'invited' ? 'invited' : 'active',
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/**
 * Ends all ownerships and ownership invitations of a user. The caller holds the lock of the user's row, so that none is
 * added.
 */
export async function endOwnerships(
  { db, transaction, emit, audit }: Change,
  { tenant_id, id, email, status }: Pick<UserRow, 'tenant_id' | 'id' | 'email' | 'status'>,
  at: number,
): Promise<void> {
  const where = { tenant_id, user_id: id };
  const { group, groupOwner } = db.models;
  const groups = await groupOwner.findAll({ attributes: ['group_id'], where, transaction, raw: true });
  if (groups.length === 0) return;
  // Locks the groups first, like a request that removes an owner: each ownership ends once, with one event.
  const groupIds = groups.map(({ group_id }) => group_id);
  await group.findAll({ where: { tenant_id, id: groupIds }, order: ['id'], transaction, lock: true, raw: true });
  const owned = await groupOwner.findAll({ where, order: ['group_id'], transaction, lock: true, raw: true });
  await groupOwner.destroy({ where, transaction });
  for (const row of owned) {
    await emit('group.owner_removed', presentOwner({ ...row, email, user_status: status }), at);
    const target = { type: 'group', id: row.group_id };
    await audit({ action: 'group.owner_removed', target, changes: { user_id: { before: id, after: null } }, at });
  }
}
