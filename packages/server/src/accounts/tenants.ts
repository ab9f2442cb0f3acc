import { BUILT_IN_ROLE_TITLES, BUILT_IN_ROLES, LIMITS, type Tenant, type TenantStatus } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Change } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { isoTime, laterThan } from '../kernel/clock.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { emailHash } from '../kernel/mail-address.ts';
import { endSessionsOf } from './end-sessions.ts';

interface NewTenant {
  readonly name: string;
  readonly sandbox: boolean;
  readonly planId?: string | null;
  readonly owner: { readonly email: string; readonly name: string | null };
  readonly now: number;
}

/** Creates a tenant with its settings, the built-in roles and an active owner. */
export async function createTenant(
  db: Database,
  transaction: Transaction,
  { name, sandbox, planId = null, owner, now }: NewTenant,
): Promise<{ readonly tenantId: string; readonly ownerId: string }> {
  const tenantId = newId('tenant', now);
  await db.models.tenant.create(
    {
      id: tenantId,
      name,
      status: 'active',
      plan_id: planId,
      sandbox: sandbox ? 1 : 0,
      created_at: now,
      updated_at: now,
    },
    { transaction },
  );
  const ownerId = await insertTenantParts(db, transaction, { tenantId, owner, at: now });
  return { tenantId, ownerId };
}

/**
 * Inserts the parts of a new tenant and resolves to the id of the owner. All ids are derived from the tenant's, so that
 * a reset creates the same ones.
 */
export async function insertTenantParts(
  db: Database,
  transaction: Transaction,
  { tenantId, owner, at }: { readonly tenantId: string; readonly owner: NewTenant['owner']; readonly at: number },
): Promise<string> {
  const instants = { created_at: at, updated_at: at };
  await db.models.settings.create(
    {
      tenant_id: tenantId,
      default_timezone: 'UTC',
      default_locale: 'en',
      support_email: null,
      launch_token_ttl_seconds: LIMITS.launchTokenSeconds.default,
      ...instants,
    },
    { transaction },
  );
  await db.models.role.bulkCreate(
    BUILT_IN_ROLES.map((name, index) => ({
      tenant_id: tenantId,
      id: seededId(tenantId, 'role', index),
      name,
      title: BUILT_IN_ROLE_TITLES[name],
      description: null,
      built_in: 1 as const,
      capabilities: '[]',
      ...instants,
    })),
    { transaction },
  );
  const id = seededId(tenantId, 'user', 0);
  await db.models.user.create(
    {
      tenant_id: tenantId,
      id,
      email: owner.email,
      email_hash: emailHash(owner.email),
      name: owner.name,
      role: 'owner',
      status: 'active',
      client_id: null,
      location_id: null,
      activated_at: at,
      deactivated_at: null,
      invitation_hash: null,
      invitation_expires_at: null,
      ...instants,
    },
    { transaction },
  );
  return id;
}

/** Returns a tenant, or null. Locks its row inside a transaction. */
export function findTenant(db: Database, tenantId: string, transaction: Transaction | null): Promise<TenantRow | null> {
  return db.models.tenant.findByPk(tenantId, { transaction, lock: transaction !== null, raw: true });
}

/** Suspends or reactivates a tenant. If it already has the status, nothing changes and no event is emitted. */
export async function setTenantStatus(change: Change, before: TenantRow, status: TenantStatus): Promise<Tenant> {
  if (before.status === status) return presentTenant(before);
  const after: TenantRow = { ...before, status, updated_at: laterThan(before.updated_at, change.now) };
  await storeTenant(change, after);
  if (status === 'suspended') await endSessionsOf(change);
  const tenant = presentTenant(after);
  const action = status === 'suspended' ? 'tenant.suspended' : 'tenant.reactivated';
  await change.emit(action, tenant, after.updated_at);
  await change.audit({
    action,
    target: { type: 'tenant', id: after.id },
    changes: changedFields(presentTenant(before), tenant),
    at: after.updated_at,
  });
  return tenant;
}

/** Renames a tenant. */
export async function renameTenant(change: Change, before: TenantRow, name: string): Promise<Tenant> {
  if (before.name === name) return presentTenant(before);
  const after: TenantRow = { ...before, name, updated_at: laterThan(before.updated_at, change.now) };
  await storeTenant(change, after);
  const tenant = presentTenant(after);
  await change.audit({
    action: 'tenant.updated',
    target: { type: 'tenant', id: after.id },
    changes: changedFields(presentTenant(before), tenant),
    at: after.updated_at,
  });
  return tenant;
}

async function storeTenant({ db, transaction }: Change, row: TenantRow): Promise<void> {
  const { id, name, status, updated_at } = row;
  await db.models.tenant.update({ name, status, updated_at }, { where: { id }, transaction });
}

/** Converts a row to the tenant of the API. */
export function presentTenant(row: TenantRow): Tenant {
  return {
    object: 'tenant',
    id: row.id,
    name: row.name,
    status: row.status,
    plan_id: row.plan_id,
    sandbox: row.sandbox === 1,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
