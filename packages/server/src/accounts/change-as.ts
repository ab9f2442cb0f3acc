import { type Actor, type Change, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { holdSandbox } from '../db/sandbox-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AdminSession, DeveloperSession } from './session.ts';
import { findTenant } from './tenants.ts';

export interface ChangeServices {
  readonly db: Database;
  readonly clock: Clock;
}

/** The signed-in user, and the request that makes a change. */
export interface Changing extends Pick<Actor, 'requestId' | 'ip'> {
  readonly session: AdminSession | DeveloperSession;
}

/**
 * Makes a change of the signed-in user's tenant, or of the developer's sandbox. Changes of one tenant by users run one
 * after the other. `work` must only use the database, because it may run again.
 * @throws {@link ApiError} TENANT_SUSPENDED, and the errors of `work`
 */
export function changeAs<Result>(
  { db, clock }: ChangeServices,
  { session, ...request }: Changing,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  const { tenantId } = session;
  return unitOfWork(db, async (transaction) => {
    // In this order, as a reset does: one of them may be the work.
    if (session.sandbox) await holdSandbox(db, tenantId, transaction);
    await lockTenant(db, tenantId, transaction);
    const tenant = await findTenant(db, tenantId, transaction);
    if (tenant?.status !== 'active') {
      throw new ApiError('TENANT_SUSPENDED', 'The tenant is suspended; nothing changes until it is reactivated');
    }
    return work(openChange({ db, tenantId, now: clock() }, transaction, { ...actorOf(session), ...request }));
  });
}

/** Returns the actor that the audit trail names. */
function actorOf(session: AdminSession | DeveloperSession): Pick<Actor, 'type' | 'id' | 'sessionId'> {
  const { sessionId } = session;
  return session.kind === 'admin'
    ? { type: 'user', id: session.userId, sessionId }
    : { type: 'developer', id: session.developerId, sessionId };
}
