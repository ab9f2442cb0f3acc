import type { Database } from '../db/database.ts';
import { select } from '../db/sql.ts';
import type { AdminSession } from './session.ts';
import type { Account } from './sign-in.ts';

/** Accounts that a page offers at most. */
const MOST = 20;

/**
 * The accounts of other tenants with the e-mail address of the user who is signed in, as far as user and tenant are active.
 * The session proves the address, so the user may go on with any of them.
 */
export function findOtherAccounts(
  db: Database,
  { tenantId, userId }: Pick<AdminSession, 'tenantId' | 'userId'>,
): Promise<Account[]> {
  return select<Account>(
    db,
    `SELECT u.id AS userId, u.tenant_id AS tenantId, t.name AS tenantName, u.role AS role
     FROM users me JOIN users u ON u.email_hash = me.email_hash AND u.status = 'active' AND u.tenant_id <> me.tenant_id
       JOIN tenants t ON t.id = u.tenant_id AND t.status = 'active'
     WHERE me.tenant_id = :tenantId AND me.id = :userId ORDER BY t.name, u.id LIMIT ${MOST}`,
    { tenantId, userId },
  );
}
