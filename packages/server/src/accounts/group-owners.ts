import type { GroupOwner } from '@plat/contract';
import type { Change } from '../change.ts';
import { forUpdate } from '../db/row-lock.ts';
import { execute, select } from '../db/sql.ts';
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
  // With the groups, since whoever removes an owner holds the group: each of them is removed, and said to be, once.
  const owned = await select<Omit<GroupOwnerRow, 'tenant_id'>>(
    db,
    `SELECT o.group_id, o.user_id, o.created_at, o.updated_at
     FROM group_owners o JOIN client_groups g ON g.tenant_id = o.tenant_id AND g.id = o.group_id
     WHERE o.tenant_id = :tenant_id AND o.user_id = :id ORDER BY o.group_id${forUpdate(db)}`,
    { tenant_id, id },
    transaction,
  );
  if (owned.length === 0) return;
  const sql = 'DELETE FROM group_owners WHERE tenant_id = :tenant_id AND user_id = :id';
  await execute(db, sql, { tenant_id, id }, transaction);
  for (const row of owned) {
    await emit('group.owner_removed', presentOwner({ ...row, email, user_status: status }), at);
    const target = { type: 'group', id: row.group_id };
    await audit({ action: 'group.owner_removed', target, changes: { user_id: { before: id, after: null } }, at });
  }
}
