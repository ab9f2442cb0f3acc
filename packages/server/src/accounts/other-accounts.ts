import type { Database } from '../db/database.ts';
import { select, usingIndex } from '../db/sql.ts';
import type { AdminSession } from './session.ts';
import type { Account } from './sign-in.ts';

/** Accounts that a page offers at most. */
const MOST = 50;

/**
 * The accounts of other tenants with the e-mail address of the user who is signed in, as far as user and tenant are active.
 * The session proves the address, so the user may go on with any of them.
 */
export async function findOtherAccounts(
  db: Database,
  { tenantId, userId }: Pick<AdminSession, 'tenantId' | 'userId'>,
): Promise<Account[]> {
  const rows = await select<Omit<Account, 'tenantName'> & { readonly tenantName: string | null }>(
    db,
    `SELECT u.id AS userId, u.tenant_id AS tenantId, u.role AS role,
       (SELECT t.name FROM tenants t WHERE t.id = u.tenant_id AND t.status = 'active') AS tenantName
     FROM users u ${usingIndex(db, 'users_address')}
     WHERE u.email_hash = (SELECT me.email_hash FROM users me WHERE me.tenant_id = :tenantId AND me.id = :userId)
       AND u.status = 'active' AND u.tenant_id <> :tenantId LIMIT ${MOST}`,
    { tenantId, userId },
  );
  const ofActiveTenants = rows.flatMap(({ tenantName, ...account }) =>
    tenantName === null ? [] : [{ ...account, tenantName }],
  );
  return ofActiveTenants.sort((a, b) => a.tenantName.localeCompare(b.tenantName));
}
