import { cancelDeletion, scheduleDeletion } from '../../accounts/tenant-deletion.ts';
import { CommandError } from '../command-error.ts';
import { changeTenant } from './change-tenant.ts';
import type { Operator } from './operator.ts';
import { printable } from './tenant-details.ts';
import { tenantOf } from './tenant-of.ts';

/**
 * Suspends a tenant, and schedules its deletion.
 * @throws {@link CommandError} if other tenants may use OAuth apps of its developer
 */
export function deleteTenant(operator: Operator, tenantId: string) {
  return changeTenant(operator, tenantId, async (change, tenant) => {
    const { db, transaction } = change;
    const developer = await db.models.developer.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
    const app =
      developer &&
      (await db.models.oauthApp.findOne({ where: { developer_id: developer.id }, transaction, raw: true }));
    if (app) {
      const remedy = `plat-server apps delete ${app.id} --yes`;
      throw new CommandError(`the developer of ${tenantId} has an OAuth app, which tenants may use; first: ${remedy}`);
    }
    await scheduleDeletion(change, tenant);
    return printable(await tenantOf(db, tenantId, transaction));
  });
}

/** Cancels the deletion of a tenant within its grace, and reactivates it. */
export function restoreTenant(operator: Operator, tenantId: string) {
  return changeTenant(operator, tenantId, async (change, tenant) => {
    const { delete_after } = tenant;
    if (delete_after === null) throw new CommandError(`${tenantId} is not scheduled for deletion`);
    if (delete_after <= change.now) {
      throw new CommandError(`the grace of ${tenantId} is over, and rows of it may be deleted already`);
    }
    await cancelDeletion(change, tenant);
    return printable(await tenantOf(change.db, tenantId, change.transaction));
  });
}
