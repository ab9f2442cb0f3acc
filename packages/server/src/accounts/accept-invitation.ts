import type { User } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { type Actor, openChange } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import type { UserRow } from '../db/tables/users.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { laterThan } from '../kernel/clock.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { findTenant } from './tenants.ts';
import { presentUser } from './users.ts';

interface Presented {
  /** Token from the link. */
  readonly token: string;
  /** Time of the request, in ms. */
  readonly now: number;
}

/**
 * Returns the invited user of a token. Changes nothing.
 * @throws {@link ApiError} NOT_FOUND, TENANT_SUSPENDED
 */
export async function readInvitation(db: Database, { token, now }: Presented): Promise<UserRow> {
  const user = await findInvited(db, { token, now }, null);
  await refuseSuspended(db, user.tenant_id, null);
  return user;
}

/**
 * Activates the invited user.
 * @throws {@link ApiError} NOT_FOUND, TENANT_SUSPENDED
 */
export function acceptInvitation(
  db: Database,
  presented: Presented,
  request: Pick<Actor, 'requestId' | 'ip'>,
): Promise<User> {
  return unitOfWork(db, async (transaction) => {
    const { tenant_id: tenantId, id } = await findInvited(db, presented, transaction);
    // Locks the tenant's row before the user's, like every change. The lock orders it against a suspension or a reset
    // of the sandbox.
    await refuseSuspended(db, tenantId, transaction);
    // Locked by its token: of concurrent requests, all but the first find it used.
    const before = await findInvited(db, presented, transaction, true);
    const at = laterThan(before.updated_at, presented.now);
    const activation = { status: 'active', activated_at: at, updated_at: at } as const;
    const after: UserRow = { ...before, ...activation };
    await db.models.user.update(
      { ...activation, invitation_hash: null, invitation_expires_at: null },
      { where: { tenant_id: tenantId, id }, transaction },
    );
    const change = openChange({ db, tenantId, now: presented.now }, transaction, { type: 'user', id, ...request });
    const user = presentUser(after);
    await change.emit('user.activated', user, at);
    const changes = changedFields(presentUser(before), user);
    await change.audit({ action: 'user.activated', target: { type: 'user', id }, changes, at });
    return user;
  });
}

/** Returns the same refusal for every invalid token, so that a caller cannot learn if it was ever valid. */
async function findInvited(
  db: Database,
  { token, now }: Presented,
  transaction: Transaction | null,
  lock = false,
): Promise<UserRow> {
  const user = isWellFormedToken('plat_inv_', token)
    ? await db.models.user.findOne({ where: { invitation_hash: hashToken(token) }, transaction, lock, raw: true })
    : null;
  if (!user || (user.invitation_expires_at ?? 0) <= now) {
    throw new ApiError('NOT_FOUND', 'The invitation was used, replaced or withdrawn, has expired, or never existed');
  }
  return user;
}

async function refuseSuspended(db: Database, tenantId: string, transaction: Transaction | null): Promise<void> {
  const tenant = await findTenant(db, tenantId, transaction);
  if (tenant && tenant.status !== 'active') {
    throw new ApiError('TENANT_SUSPENDED', 'The tenant is suspended; the invitation waits until it is reactivated');
  }
}
