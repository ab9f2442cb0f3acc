import type { Change } from '../change.ts';

/** Ends the sessions of all users of a tenant, or of one user, in the transaction that ends their access. */
export async function endSessionsOf({ db, transaction, tenantId }: Change, userId?: string): Promise<void> {
  const where = { tenant_id: tenantId, ...(userId === undefined ? {} : { account_id: userId }) };
  await db.models.session.destroy({ where, transaction });
}
