import { type Actor, type OpenChange, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AdminSession, DeveloperSession } from './session.ts';
import { findTenant } from './tenants.ts';

export interface ChangeServices {
  readonly db: Database;
  readonly clock: Clock;
  /** Called after a commit that left deliveries due. */
  readonly wake: () => void;
}

/** Whoever is signed in, and the request by which they change something. */
export interface Changing extends Pick<Actor, 'requestId' | 'ip'> {
  readonly session: AdminSession | DeveloperSession;
}

/**
 * Makes a change of the tenant of whoever is signed in: of their own, or of the developer's sandbox. Changes of a tenant
 * by people go one after the other. `work` does nothing but database work: it may be run again.
 * @throws {@link ApiError} TENANT_SUSPENDED, and what `work` throws
 */
export async function changeAs<Result>(
  { db, clock, wake }: ChangeServices,
  { session, ...request }: Changing,
  work: (change: OpenChange) => Promise<Result>,
): Promise<Result> {
  const { tenantId } = session;
  const { result, deliveries } = await unitOfWork(db, async (transaction) => {
    await lockTenant(db, tenantId, transaction);
    const tenant = await findTenant(db, tenantId, transaction);
    if (tenant?.status !== 'active') {
      throw new ApiError('TENANT_SUSPENDED', 'The tenant is suspended; nothing changes until it is reactivated');
    }
    const change = openChange({ db, tenantId, now: clock() }, transaction, { ...actorOf(session), ...request });
    return { result: await work(change), deliveries: change.deliveries() };
  });
  if (deliveries > 0) wake();
  return result;
}

/** Whom the audit trail names. */
function actorOf(session: AdminSession | DeveloperSession): Pick<Actor, 'type' | 'id'> {
  return session.kind === 'admin'
    ? { type: 'user', id: session.userId }
    : { type: 'developer', id: session.developerId };
}
