import type { LaunchTokenGroup } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';

/**
 * Returns the groups of a user in a client, oldest first: those that contain the client, and those that the user owns.
 */
export async function groupsOfLaunch(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId, userId }: Readonly<Record<'tenantId' | 'clientId' | 'userId', string>>,
): Promise<readonly LaunchTokenGroup[]> {
  const { group, groupMember, groupOwner } = db.models;
  const joined = await groupMember.findAll({
    where: { tenant_id: tenantId, client_id: clientId },
    transaction,
    raw: true,
  });
  const owned = await groupOwner.findAll({ where: { tenant_id: tenantId, user_id: userId }, transaction, raw: true });
  const owns = new Set(owned.map(({ group_id }) => group_id));
  const ids = [...new Set([...joined.map(({ group_id }) => group_id), ...owns])];
  const groups = await group.findAll({
    where: { tenant_id: tenantId, id: ids },
    order: ['id'],
    transaction,
    raw: true,
  });
  return groups.map(({ id, name }) => ({ id, name, isOwner: owns.has(id) }));
}
