import { Op } from 'sequelize';
import type { Database } from '../db/database.ts';
import type { AdminSession } from './session.ts';
import { type Account, accountsOf } from './sign-in.ts';

/** Maximum number of accounts on a page. */
const MAX_ACCOUNTS = 50;

/**
 * Finds accounts of other tenants with the email address of the signed-in user, if user and tenant are active. The
 * session proves the address, so the user may continue with any of them. A session of a sandbox proves no address: its
 * developer acts as its users, and invents their addresses. It finds none.
 */
export async function findOtherAccounts(
  db: Database,
  { tenantId, userId, sandbox }: Pick<AdminSession, 'tenantId' | 'userId' | 'sandbox'>,
): Promise<Account[]> {
  if (sandbox) return [];
  const { user } = db.models;
  const me = await user.findOne({ where: { tenant_id: tenantId, id: userId }, raw: true });
  if (!me) return [];
  const users = await user.findAll({
    where: { email_hash: me.email_hash, status: 'active', tenant_id: { [Op.ne]: tenantId } },
    limit: MAX_ACCOUNTS,
    raw: true,
  });
  return accountsOf(db, null, users);
}
