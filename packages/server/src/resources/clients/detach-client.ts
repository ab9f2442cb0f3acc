import { literal } from 'sequelize';
import type { WriteContext } from '../../context.ts';
import { movedUpdatedAt } from '../../db/changes.ts';
import { deleteLocationsOf } from '../../db/owned-locations.ts';

/**
 * Removes the references to a client: it leaves its groups, its locations are deleted, and its users stay without a
 * client.
 */
export async function detachClient(ctx: WriteContext, clientId: string, at: number): Promise<void> {
  await leaveGroups(ctx, clientId, at);
  await deleteLocationsOf(ctx.db, ctx.transaction, { tenantId: ctx.tenantId, ownerId: clientId, at });
  await ctx.db.models.user.update(
    { client_id: null, updated_at: movedUpdatedAt(at) },
    { where: { tenant_id: ctx.tenantId, client_id: clientId }, transaction: ctx.transaction },
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
  await db.models.group.update(
    { member_count: literal('member_count - 1'), updated_at: movedUpdatedAt(at) },
    { where: { tenant_id: tenantId, id: members.map(({ group_id }) => group_id) }, transaction },
  );
  await db.models.groupMember.destroy({ where, transaction });
}
