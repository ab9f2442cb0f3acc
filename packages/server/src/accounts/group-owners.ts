import type { GroupOwner } from '@plat/contract';
import type { Change } from '../change.ts';
import type { GroupOwnerRow } from '../db/tables/group-owners.ts';
import type { UserRow } from '../db/tables/users.ts';
import { isoTime } from '../kernel/clock.ts';

/** An owner with what the user's row says of them. */
export interface OwnerView extends Omit<GroupOwnerRow, 'tenant_id'> {
  readonly email: string;
  readonly user_status: UserRow['status'];
}

/** An invitation that was accepted stays accepted, also when the user is suspended later. */
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

/** Ends what a user owns, or was invited to own. The user's row is locked by the caller, so that nothing is added. */
export async function endOwnerships(
  { db, transaction, emit, audit }: Change,
  { tenant_id, id, email, status }: Pick<UserRow, 'tenant_id' | 'id' | 'email' | 'status'>,
  at: number,
): Promise<void> {
  const where = { tenant_id, user_id: id };
  const { group, groupOwner } = db.models;
  const groups = await groupOwner.findAll({ attributes: ['group_id'], where, transaction, raw: true });
  if (groups.length === 0) return;
  // The groups first, as a request that removes an owner locks them: each ownership ends, with its event, once.
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
