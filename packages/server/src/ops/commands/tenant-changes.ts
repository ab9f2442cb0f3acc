import { isId } from '@plat/contract';
import { name as nameSchema } from '@plat/contract/schemas';
import { endSessionsOf } from '../../accounts/end-sessions.ts';
import { renameTenant } from '../../accounts/tenants.ts';
import { presentUser } from '../../accounts/users.ts';
import { changedFields } from '../../db/changes.ts';
import { laterThan } from '../../kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import { changeTenant } from './change-tenant.ts';
import { type Operator, readOption } from './operator.ts';
import { planIdOf } from './plan-of.ts';

/** Renames a tenant. */
export function rename(operator: Operator, tenantId: string, given: string) {
  const name = readOption('the name', nameSchema(), given);
  return changeTenant(operator, tenantId, async (change, tenant) => {
    await renameTenant(change, tenant, name);
    return { id: tenantId, name };
  });
}

/** Gives a tenant a plan of the catalog; null ends its plan. */
export function changePlan(operator: Operator, tenantId: string, slug: string | null) {
  return changeTenant(operator, tenantId, async (change, tenant) => {
    const { db, transaction, now } = change;
    const planId = slug === null ? null : await planIdOf(db, transaction, slug);
    if (planId !== tenant.plan_id) {
      const updated_at = laterThan(tenant.updated_at, now);
      await db.models.tenant.update({ plan_id: planId, updated_at }, { where: { id: tenantId }, transaction });
      await change.audit({
        action: 'tenant.plan_changed',
        target: { type: 'tenant', id: tenantId },
        changes: { plan_id: { before: tenant.plan_id, after: planId } },
        at: updated_at,
      });
    }
    return { id: tenantId, plan: slug, plan_id: planId };
  });
}

/** Makes an active user an owner, for a tenant whose owners cannot sign in. The other owners stay. */
export function addOwner(operator: Operator, tenantId: string, userId: string) {
  return changeTenant(operator, tenantId, async (change) => {
    const { db, transaction, now } = change;
    const where = { tenant_id: tenantId, id: userId };
    const before = isId('user', userId)
      ? await db.models.user.findOne({ where, transaction, lock: true, raw: true })
      : null;
    if (before?.status !== 'active') throw new CommandError(`the tenant has no active user ${userId}`);
    if (before.role !== 'owner') {
      const after = { ...before, role: 'owner', updated_at: laterThan(before.updated_at, now) };
      await db.models.user.update({ role: after.role, updated_at: after.updated_at }, { where, transaction });
      const user = presentUser(after);
      const { id, email, updated_at: changed_at } = user;
      // The event names a user of the tenant as its author. The operator is not one.
      const roles = { previous_role: before.role, new_role: after.role, changed_by: id };
      await change.emit('user.role_changed', { object: 'user', id, email, ...roles, changed_at }, after.updated_at);
      const changes = changedFields(presentUser(before), user);
      await change.audit({ action: 'user.updated', target: { type: 'user', id }, changes, at: after.updated_at });
    }
    return { id: tenantId, owner_id: userId, owner_email: before.email };
  });
}

/** Ends the console sessions of all users of a tenant, or of one. */
export function endSessions(operator: Operator, tenantId: string, userId: string | undefined) {
  return changeTenant(operator, tenantId, async (change) => {
    const { db, transaction } = change;
    const where = { tenant_id: tenantId, id: userId };
    const isKnown = isId('user', userId) && (await db.models.user.findOne({ where, transaction })) !== null;
    if (userId !== undefined && !isKnown) throw new CommandError(`the tenant has no user ${userId}`);
    await endSessionsOf(change, userId);
    const target = userId === undefined ? { type: 'tenant', id: tenantId } : { type: 'user', id: userId };
    await change.audit({ action: 'sessions.ended', target, at: change.now });
    return { tenant_id: tenantId, user_id: userId ?? null };
  });
}
