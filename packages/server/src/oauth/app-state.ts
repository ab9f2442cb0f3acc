import { type AppDisabler, type Deleted, isId, type OAuthApp, type RevokedReason } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { type Actor, type Change, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { ApiError } from '../kernel/api-error.ts';
import { laterThan } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type AppView, presentApp } from './apps.present.ts';
import { findApp } from './apps.service.ts';

/*
 * The states of an app. Ending its grants is final: after an app is enabled again, tenants consent again. Every look-up
 * of a token reads the app's row, so the commit that disables or deletes an app takes effect in every process.
 */

/** Disables an app and ends all its grants. An app that is already disabled does not change. */
export async function disableApp(change: Change, app: AppView, by: AppDisabler): Promise<OAuthApp> {
  const isDone = app.disabled_by === by || app.disabled_by === 'operator';
  return isDone ? presentApp(app) : setDisabledBy(change, app, by, 'app.disabled');
}

/**
 * Enables an app. Its former grants stay ended.
 * @throws {@link ApiError} APP_DISABLED for a developer whose app the operator disabled
 */
export async function enableApp(change: Change, app: AppView, by: AppDisabler): Promise<OAuthApp> {
  if (app.disabled_by === null) return presentApp(app);
  if (app.disabled_by === 'operator' && by !== 'operator') {
    throw new ApiError('APP_DISABLED', 'The platform disabled the app, so only the platform can enable it');
  }
  return setDisabledBy(change, app, null, 'app.enabled');
}

/** Deletes an app and ends all its grants. From then on its id and secret are unknown. */
export async function deleteApp(change: Change, app: AppView): Promise<Deleted<'app'>> {
  const { id } = app;
  const { db, transaction, now } = change;
  await endGrantsOf(change, id, 'app_deleted');
  await change.emitToApp(id, 'app.deleted', presentApp(app), now);
  // This event is the last one. Housekeeping deletes the endpoints after their deliveries have ended.
  await db.models.webhookSubscription.destroy({ where: { tenant_id: id }, transaction });
  await db.models.oauthApp.destroy({ where: { id }, transaction });
  await change.audit({ action: 'app.deleted', target: { type: 'app', id }, at: now });
  return { object: 'app', id, deleted: true };
}

/**
 * Runs a change of any developer's app for the operator. The audit trail of the developer's sandbox records it.
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export function changeAppAsOperator<T>(
  db: Database,
  { appId, actor, now }: { readonly appId: string; readonly actor: Actor; readonly now: number },
  work: (change: Change, app: AppView) => Promise<T>,
): Promise<T> {
  const missing = () => new ApiError('APP_NOT_FOUND', `There is no app ${appId}`);
  return unitOfWork(db, async (transaction) => {
    if (!isId('app', appId)) throw missing();
    const tenantId = await findSandbox(db, appId, transaction);
    await lockTenant(db, tenantId, transaction);
    const app = await findApp(db, appId, transaction);
    if (!app) throw missing();
    return work(openChange({ db, tenantId, now }, transaction, actor), app);
  });
}

async function findSandbox(db: Database, appId: string, transaction: Transaction): Promise<string> {
  const app = await db.models.oauthApp.findByPk(appId, { transaction, raw: true });
  const developer = app && (await db.models.developer.findByPk(app.developer_id, { transaction, raw: true }));
  return developer?.tenant_id ?? '';
}

async function setDisabledBy(
  change: Change,
  before: AppView,
  disabledBy: AppDisabler | null,
  action: 'app.disabled' | 'app.enabled',
): Promise<OAuthApp> {
  const { db, transaction } = change;
  const after: AppView = {
    ...before,
    disabled_by: disabledBy,
    updated_at: laterThan(before.updated_at, change.now),
  };
  await db.models.oauthApp.update(after, { where: { id: after.id }, transaction });
  if (disabledBy !== null) await endGrantsOf(change, before.id, 'app_disabled');
  const changes = { disabled_by: { before: before.disabled_by, after: disabledBy } };
  await change.emitToApp(after.id, action, presentApp(after), after.updated_at);
  await change.audit({ action, target: { type: 'app', id: before.id }, changes, at: after.updated_at });
  return presentApp(after);
}

/** Maximum number of rows per statement. */
const BATCH = 500;

/** Ends every live grant of an app, and writes each to the audit trail of its tenant. */
async function endGrantsOf(
  { db, transaction, now }: Change,
  appId: string,
  reason: Extract<RevokedReason, 'app_disabled' | 'app_deleted'>,
): Promise<void> {
  // Locked: the grants that end here are those in the audit trail. Others may begin or end meanwhile.
  const grants = await db.models.oauthGrant.findAll({
    attributes: ['id', 'tenant_id', 'expires_at'],
    where: { app_id: appId, status: 'active' },
    transaction,
    lock: true,
    raw: true,
  });
  for (let i = 0; i < grants.length; i += BATCH) {
    const batch = grants.slice(i, i + BATCH);
    await db.models.oauthGrant.update(
      { status: 'revoked', revoked_reason: reason, expires_at: now, updated_at: now },
      { where: { id: batch.map(({ id }) => id) }, transaction },
    );
    const live = batch.filter(({ expires_at }) => expires_at > now);
    const events = live.map(({ id, tenant_id }) => ({
      tenant_id,
      id: newId('audit_event', now),
      actor_type: 'system' as const,
      actor_id: null,
      action: 'oauth.tokens_revoked',
      target_type: 'consent',
      target_id: id,
      changes: JSON.stringify({ revoked_reason: { before: null, after: reason } }),
      request_id: null,
      ip: null,
      created_at: now,
    }));
    await db.models.auditEvent.bulkCreate(events, { transaction });
  }
}
