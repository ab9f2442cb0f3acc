import type { Change } from '../change.ts';
import { execute } from '../db/sql.ts';

/** Ends the sessions of a tenant's users, or of one of them, in the transaction that ends their access. */
export async function endSessionsOf({ db, transaction, tenantId }: Change, userId?: string): Promise<void> {
  const sql = `DELETE FROM sessions WHERE tenant_id = :tenantId${userId === undefined ? '' : ' AND account_id = :userId'}`;
  await execute(db, sql, userId === undefined ? { tenantId } : { tenantId, userId }, transaction);
}
