import type { LaunchTokenGroup } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { select } from '../db/sql.ts';

interface Group {
  readonly id: string;
  readonly name: string;
}

/** The groups that a user belongs to in a client, the oldest first: those the client is in, and those the user owns. */
export async function groupsOfLaunch(
  db: Database,
  transaction: Transaction | null,
  { tenantId, clientId, userId }: Readonly<Record<'tenantId' | 'clientId' | 'userId', string>>,
): Promise<readonly LaunchTokenGroup[]> {
  const joined = await select<Group>(
    db,
    `SELECT g.id, g.name FROM group_members m JOIN client_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
     WHERE m.tenant_id = :tenantId AND m.client_id = :clientId`,
    { tenantId, clientId },
    transaction,
  );
  const owned = await select<Group>(
    db,
    `SELECT g.id, g.name FROM group_owners o JOIN client_groups g ON g.tenant_id = o.tenant_id AND g.id = o.group_id
     WHERE o.tenant_id = :tenantId AND o.user_id = :userId`,
    { tenantId, userId },
    transaction,
  );
  const owns = new Set(owned.map(({ id }) => id));
  const all = new Map([...joined, ...owned].map(({ id, name }) => [id, { id, name, isOwner: owns.has(id) }]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
