import { SANDBOX } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { findTenant, furnishTenant } from '../accounts/tenants.ts';
import { type Actor, type Change, openChange } from '../change.ts';
import type { Database } from '../db/database.ts';
import { execute, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { lowestIdAt, seededId } from '../kernel/ids.ts';
import { seedSandbox } from './seed.ts';

/** Tables whose rows of the tenant a reset takes away, before what was there at the beginning is put back. */
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

/**
 * Tables whose rows of the tenant a reset leaves: the tenant, its key, whose sandbox it is, who is signed in, and what was
 * asked of it.
 */
export const KEPT_TABLES = ['api_keys', 'developers', 'sessions', 'requests'] as const;

/**
 * {@link resetTenant} in a transaction of its own.
 * @returns false when there is no such sandbox
 */
export function resetSandbox(
  db: Database,
  { tenantId, actor, now }: { readonly tenantId: string; readonly actor: Actor; readonly now: number },
): Promise<boolean> {
  return unitOfWork(db, (transaction) => resetTenant(openChange({ db, tenantId, now }, transaction, actor)));
}

/**
 * Takes a sandbox back to its seeded content, in one transaction: requests see it as it was or as it will be. The
 * tenant keeps its id, its API key and its OAuth apps. The seeded objects have the ids that they had at first.
 * @returns false when there is no such sandbox
 */
export async function resetTenant({ db, transaction, tenantId, now, audit }: Change): Promise<boolean> {
  // Writes to a sandbox begin with the same lock, so that none of them lands in between.
  const tenant = await findTenant(db, tenantId, transaction);
  if (tenant?.sandbox !== 1) return false;
  const owner = await ownerOf(db, transaction, tenantId);
  await empty(db, transaction, tenantId);
  await removeFutureRequests(db, transaction, { tenantId, now });
  const at = tenant.created_at;
  await execute(
    db,
    'UPDATE tenants SET name = :name WHERE id = :tenantId',
    { name: SANDBOX.name, tenantId },
    transaction,
  );
  await furnishTenant(db, transaction, { tenantId, owner, at });
  await seedSandbox(db, transaction, { tenantId, at });
  await audit({ action: 'sandbox.reset', target: { type: 'tenant', id: tenantId }, at: now });
  return true;
}

async function empty(db: Database, transaction: Transaction, tenantId: string): Promise<void> {
  const keys = 'SELECT id FROM api_keys WHERE tenant_id = :tenantId';
  await execute(db, `DELETE FROM idempotency_keys WHERE credential_id IN (${keys})`, { tenantId }, transaction);
  for (const table of RESET_TABLES) {
    await execute(db, `DELETE FROM ${table} WHERE tenant_id = :tenantId`, { tenantId }, transaction);
  }
}

/**
 * Removes request log entries from the future, which a moved development clock leaves behind: newer entries would sort
 * below them, so that `plat requests tail` would not show those.
 */
async function removeFutureRequests(
  db: Database,
  transaction: Transaction,
  { tenantId, now }: { readonly tenantId: string; readonly now: number },
): Promise<void> {
  const firstFuture = lowestIdAt('request', now + 1);
  await execute(
    db,
    'DELETE FROM requests WHERE tenant_id = :tenantId AND id >= :firstFuture',
    { tenantId, firstFuture },
    transaction,
  );
}

/** Who owned the sandbox from the beginning: the developer, or whoever the first start made. */
async function ownerOf(db: Database, transaction: Transaction, tenantId: string) {
  const developer = await selectOne<{ email: string }>(
    db,
    'SELECT email FROM developers WHERE tenant_id = :tenantId',
    { tenantId },
    transaction,
  );
  if (developer) return { email: developer.email, name: null };
  const user = await selectOne<{ email: string; name: string | null }>(
    db,
    'SELECT email, name FROM users WHERE tenant_id = :tenantId AND id = :id',
    { tenantId, id: seededId(tenantId, 'user', 0) },
    transaction,
  );
  return user ?? { email: 'owner@sandbox.example', name: null };
}
