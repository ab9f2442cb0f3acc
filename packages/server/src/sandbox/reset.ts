import { SANDBOX } from '@plat/contract';
import { Op, type Transaction } from 'sequelize';
import { findTenant, insertTenantParts } from '../accounts/tenants.ts';
import { type Actor, type Change, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { holdSandbox } from '../db/sandbox-lock.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { lowestIdAt, seededId } from '../kernel/ids.ts';
import { OperatorError } from '../kernel/operator-error.ts';
import { seedSandbox } from './seed.ts';

/** Tables whose rows of the tenant a reset deletes, before it creates the seeded ones. */
export const RESET_TABLES = [
  'webhook_replays',
  'webhook_deliveries',
  'webhook_subscriptions',
  'webhook_endpoints',
  'events',
  'audit_events',
  'mails',
  'oauth_grants',
  'payments',
  'invoices',
  'group_members',
  'group_owners',
  'client_limits',
  'client_groups',
  'locations',
  'users',
  'clients',
  'deleted_clients',
  'roles',
  'settings',
] as const;

/** Tables whose rows of the tenant a reset keeps: its keys, the developer, the sessions, the request log and locks. */
export const KEPT_TABLES = [
  'api_keys',
  'previous_api_keys',
  'support_keys',
  'developers',
  'sessions',
  'requests',
  'sandbox_locks',
  'request_bodies',
] as const;

/** Runs {@link resetTenant} in its own transaction. */
export function resetSandbox(
  db: Database,
  { tenantId, actor, now }: { readonly tenantId: string; readonly actor: Actor; readonly now: number },
): Promise<void> {
  return unitOfWork(db, async (transaction) => {
    await holdSandbox(db, tenantId, transaction);
    await resetTenant(openChange({ db, tenantId, now }, transaction, actor));
  });
}

/**
 * Resets a sandbox to its seeded content in one transaction, so that no request sees an intermediate state. The tenant
 * keeps its id, its API key and its OAuth apps. The seeded objects have the same ids as before. The transaction must
 * hold the whole sandbox ({@link holdSandbox}).
 * @throws OperatorError if there is no such sandbox, so that the transaction leaves no locks of it
 */
export async function resetTenant({ db, transaction, tenantId, now, audit }: Change): Promise<void> {
  // Changes outside of /v1 lock the tenant.
  await lockTenant(db, tenantId, transaction);
  const tenant = await findTenant(db, tenantId, transaction);
  if (tenant?.sandbox !== 1) throw noSandbox(tenantId);
  const owner = await ownerOf(db, transaction, tenantId);
  await empty(db, transaction, tenantId);
  await removeFutureRequests(db, transaction, { tenantId, now });
  const at = tenant.created_at;
  await db.models.tenant.update({ name: SANDBOX.name }, { where: { id: tenantId }, transaction });
  await insertTenantParts(db, transaction, { tenantId, owner, at });
  await seedSandbox(db, transaction, { tenantId, at });
  await audit({ action: 'sandbox.reset', target: { type: 'tenant', id: tenantId }, at: now });
}

export function noSandbox(tenantId: string): OperatorError {
  return new OperatorError(`there is no sandbox ${tenantId}; see plat-server developers list`);
}

async function empty(db: Database, transaction: Transaction, tenantId: string): Promise<void> {
  const { apiKey, previousApiKey, user, developer, idempotencyKey } = db.models;
  const find = { attributes: ['id'], where: { tenant_id: tenantId }, transaction, raw: true as const };
  const keys = [...(await apiKey.findAll(find)), ...(await previousApiKey.findAll(find))];
  // In the Explorer, users and developers call the API themselves.
  const persons = [...(await user.findAll(find)), ...(await developer.findAll(find))];
  const callers = [...keys, ...persons].map(({ id }) => id);
  await idempotencyKey.destroy({ where: { credential_id: callers }, transaction });
  for (const table of RESET_TABLES) {
    await db.sequelize.model(table).destroy({ where: { tenant_id: tenantId }, transaction });
  }
}

/**
 * Deletes request log entries with a future time, which a moved development clock leaves behind. Newer entries would
 * sort below them, so that `plat requests tail` would not show those.
 */
async function removeFutureRequests(
  db: Database,
  transaction: Transaction,
  { tenantId, now }: { readonly tenantId: string; readonly now: number },
): Promise<void> {
  const firstFuture = lowestIdAt('request', now + 1);
  await db.models.request.destroy({ where: { tenant_id: tenantId, id: { [Op.gte]: firstFuture } }, transaction });
}

/** Returns the original owner of the sandbox: the developer, or the owner that the first start created. */
async function ownerOf(db: Database, transaction: Transaction, tenantId: string) {
  const developer = await db.models.developer.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
  if (developer) return { email: developer.email, name: null };
  const where = { tenant_id: tenantId, id: seededId(tenantId, 'user', 0) };
  const user = await db.models.user.findOne({ where, transaction, raw: true });
  return user ? { email: user.email, name: user.name } : { email: 'owner@sandbox.example', name: null };
}
