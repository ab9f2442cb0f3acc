import type { WriteContext } from '../../context.ts';
import { MOVE_UPDATED_AT } from '../../db/changes.ts';
import { deleteLocationsOf } from '../../db/owned-locations.ts';
import { forUpdate } from '../../db/row-lock.ts';
import { execute, select } from '../../db/sql.ts';

/** Takes a client out of all that knows it: it leaves its groups, its locations go, and its users stay without it. */
export async function detachClient(ctx: WriteContext, clientId: string, at: number): Promise<void> {
  await leaveGroups(ctx, clientId, at);
  await deleteLocationsOf(ctx.db, ctx.transaction, { tenantId: ctx.tenantId, ownerId: clientId, at });
  await execute(
    ctx.db,
    `UPDATE users SET client_id = NULL, ${MOVE_UPDATED_AT} WHERE tenant_id = :tenantId AND client_id = :clientId`,
    { tenantId: ctx.tenantId, clientId, at },
    ctx.transaction,
  );
  await execute(
    ctx.db,
    'DELETE FROM client_limits WHERE tenant_id = :tenantId AND client_id = :clientId',
    { tenantId: ctx.tenantId, clientId },
    ctx.transaction,
  );
}

async function leaveGroups({ db, tenantId, transaction }: WriteContext, clientId: string, at: number): Promise<void> {
  const where = 'WHERE tenant_id = :tenantId AND client_id = :clientId';
  const values = { tenantId, clientId };
  // Locked: a membership that ends meanwhile must not be counted twice.
  const rows = await select<{ group_id: string }>(
    db,
    `SELECT group_id FROM group_members ${where}${forUpdate(db)}`,
    values,
    transaction,
  );
  if (rows.length === 0) return;
  await execute(
    db,
    `UPDATE client_groups SET member_count = member_count - 1, ${MOVE_UPDATED_AT}
     WHERE tenant_id = :tenantId AND id IN (:groupIds)`,
    { tenantId, groupIds: rows.map(({ group_id }) => group_id), at },
    transaction,
  );
  await execute(db, `DELETE FROM group_members ${where}`, values, transaction);
}
