import type { Change } from '../change.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { DAY_MS, isoTimeOrNull } from '../kernel/clock.ts';
import { GRACE_DAYS } from './deletion-grace.ts';
import { setTenantStatus } from './tenants.ts';

const GRACE_MS = GRACE_DAYS * DAY_MS;

/** Suspends a tenant and schedules its deletion. If it is scheduled already, nothing changes. */
export async function scheduleDeletion(change: Change, before: TenantRow): Promise<TenantRow> {
  if (before.delete_after !== null) return before;
  await setTenantStatus(change, before, 'suspended');
  return setDeletion(change, before, change.now + GRACE_MS, 'tenant.deletion_scheduled');
}

/** Cancels the deletion of a tenant and reactivates it. */
export async function cancelDeletion(change: Change, before: TenantRow): Promise<TenantRow> {
  const after = await setDeletion(change, before, null, 'tenant.deletion_cancelled');
  await setTenantStatus(change, after, 'active');
  return after;
}

async function setDeletion(
  { db, transaction, audit, now }: Change,
  before: TenantRow,
  delete_after: number | null,
  action: string,
): Promise<TenantRow> {
  await db.models.tenant.update({ delete_after }, { where: { id: before.id }, transaction });
  const changes = {
    delete_after: { before: isoTimeOrNull(before.delete_after), after: isoTimeOrNull(delete_after) },
  };
  await audit({ action, target: { type: 'tenant', id: before.id }, changes, at: now });
  return { ...before, delete_after };
}
