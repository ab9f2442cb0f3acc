import type { Change } from '../change.ts';
import { ApiError } from '../kernel/api-error.ts';
import { addSession, type BegunSession } from './session-store.ts';

/** Roles of a sandbox as which its developer can act. Its sample data has a user of each. */
export const ACTING_ROLES = ['owner', 'member', 'viewer'] as const;

/**
 * Begins a session of a sandbox's developer as the oldest active user with a role.
 * @throws {@link ApiError} UNPROCESSABLE
 */
export async function actAs({ db, transaction, tenantId, now, audit }: Change, given: string): Promise<BegunSession> {
  const role = ACTING_ROLES.find((one) => one === given);
  const where = { tenant_id: tenantId, role: role ?? '', status: 'active' as const };
  const user = await db.models.user.findOne({ where, order: ['id'], transaction, raw: true });
  if (!user) throw new ApiError('UNPROCESSABLE', `The sandbox has no active ${role ?? 'user of this role'}`);
  const account = await addSession(db, transaction, 'admin', { accountId: user.id, tenantId }, now);
  // The developer acts in the new session from now on.
  const changes = { session_id: { before: null, after: account.sessionId } };
  await audit({ action: 'user.signed_in', target: { type: 'user', id: user.id }, changes, at: now });
  return account;
}
