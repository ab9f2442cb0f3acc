import { isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { lockTenant } from './row-lock.ts';
import { execute, selectOne } from './sql.ts';

/*
 * Endpoints, events, deliveries, replays and request log entries belong to an owner: a tenant, or an OAuth app. Their
 * column `tenant_id` has the id of the owner, whose prefix distinguishes the two (decision 064).
 */

/** Locks the row of an owner until the end of the transaction, like {@link lockTenant}. */
export async function lockOwner(db: Database, ownerId: string, transaction: Transaction): Promise<void> {
  if (!isId('app', ownerId)) return lockTenant(db, ownerId, transaction);
  if (db.kind === 'sqlite') return;
  await execute(db, 'UPDATE oauth_apps SET locks = locks + 1 WHERE id = :ownerId', { ownerId }, transaction);
}

/** The developer of an app. */
export interface AppDeveloper {
  readonly email: string;
  /** The sandbox, whose audit trail has the changes of the app. */
  readonly tenant_id: string;
}

/** Returns the developer of an owner that is an app; undefined for a tenant, and after the app was deleted. */
export async function developerOf(
  db: Database,
  ownerId: string,
  transaction: Transaction | null,
): Promise<AppDeveloper | undefined> {
  if (!isId('app', ownerId)) return undefined;
  return selectOne<AppDeveloper>(
    db,
    'SELECT d.email, d.tenant_id FROM oauth_apps a JOIN developers d ON d.id = a.developer_id WHERE a.id = :ownerId',
    { ownerId },
    transaction,
  );
}
