import { type Change, OPERATOR, openChange } from '../../change.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/**
 * Runs a change of a tenant by the operator, with the tenant locked.
 * @throws {@link CommandError} when there is no such tenant
 */
export function changeTenant<T>(
  { db, now }: Pick<Operator, 'db' | 'now'>,
  tenantId: string,
  work: (change: Change, tenant: TenantRow) => Promise<T>,
): Promise<T> {
  return unitOfWork(db, async (transaction) => {
    const tenant = await tenantOf(db, tenantId, transaction);
    return work(openChange({ db, tenantId, now }, transaction, OPERATOR), tenant);
  });
}
