import type { WriteContext } from '../../context.ts';
import { MOVE_UPDATED_AT } from '../../db/changes.ts';
import { deleteLocationsOf } from '../../db/owned-locations.ts';
import { execute } from '../../db/sql.ts';

/**
 * Removes the references to a client: it leaves its groups, its locations are deleted, and its users stay without a
 * client.
 */
export async function detachClient(ctx: WriteContext, clientId: string, at: number): Promise<void> {
  await leaveGroups(ctx, clientId, at);
  await deleteLocationsOf(ctx.db, ctx.transaction, { tenantId: ctx.tenantId, ownerId: clientId, at });
  await execute(
    ctx.db,
    `UPDATE users SET client_id = NULL, ${MOVE_UPDATED_AT} WHERE tenant_id = :tenantId AND client_id = :clientId`,
    { tenantId: ctx.tenantId, clientId, at },
    ctx.transaction,
  );
  await ctx.db.models.clientLimit.destroy({
    where: { tenant_id: ctx.tenantId, client_id: clientId },
    transaction: ctx.transaction,
  });
}

async function leaveGroups({ db, tenantId, transaction }: WriteContext, clientId: string, at: number): Promise<void> {
  const where = { tenant_id: tenantId, client_id: clientId };
  // Locked: a membership that ends in another transaction must not be counted twice.
  const members = await db.models.groupMember.findAll({ where, transaction, lock: true, raw: true });
  if (members.length === 0) return;
  await execute(
    db,
    `UPDATE client_groups SET member_count = member_count - 1, ${MOVE_UPDATED_AT}
     WHERE tenant_id = :tenantId AND id IN (:groupIds)`,
    { tenantId, groupIds: members.map(({ group_id }) => group_id), at },
    transaction,
  );
  await db.models.groupMember.destroy({ where, transaction });
}
