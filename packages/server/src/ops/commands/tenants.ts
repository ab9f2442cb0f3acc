import { ALL_SCOPES, type Scope, type TenantStatus } from '@plat/contract';
import { email, name } from '@plat/contract/schemas';
import { auditMint, findTenantKey, revokePreviousKey } from '../../accounts/api-keys.ts';
import { createTenant, setTenantStatus } from '../../accounts/tenants.ts';
import { mintApiKey } from '../../auth/api-keys.ts';
import { OPERATOR, openChange } from '../../change.ts';
import { selectPage } from '../../db/page.ts';
import { TENANTS } from '../../db/tables/tenants.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { seededId } from '../../kernel/ids.ts';
import { CommandError } from '../command-error.ts';
import { changeTenant } from './change-tenant.ts';
import { type Operator, readOption } from './operator.ts';
import { planIdOf } from './plan-of.ts';
import { printable } from './tenant-details.ts';

interface TenantOptions {
  readonly name: string;
  readonly ownerEmail: string;
  readonly ownerName?: string;
  readonly plan?: string;
}

/** Creates a production tenant with its owner, and an API key that is shown once. */
export async function createProductionTenant({ db, now }: Operator, options: TenantOptions) {
  const tenantName = readOption('--name', name(), options.name);
  const owner = {
    email: readOption('--owner-email', email(), options.ownerEmail),
    name: options.ownerName === undefined ? null : readOption('--owner-name', name(), options.ownerName),
  };
  return unitOfWork(db, async (transaction) => {
    const planId = options.plan === undefined ? null : await planIdOf(db, transaction, options.plan);
    const tenant = { name: tenantName, sandbox: false, planId, owner, now };
    const { tenantId, ownerId } = await createTenant(db, transaction, tenant);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode: 'live', createdBy: ownerId, now });
    const change = openChange({ db, tenantId, now }, transaction, OPERATOR);
    await change.audit({ action: 'tenant.created', target: { type: 'tenant', id: tenantId }, at: now });
    return { tenant_id: tenantId, owner_id: ownerId, owner_email: owner.email, api_key: apiKey };
  });
}

interface ListOptions {
  readonly status?: TenantStatus;
  readonly limit: number;
  readonly startingAfter?: string;
}

/** Lists tenants, newest first. */
export async function listTenants({ db }: Operator, { status, limit, startingAfter }: ListOptions) {
  const { rows } = await selectPage(db, {
    table: TENANTS,
    kind: 'tenant',
    tenantId: null,
    params: { limit, ...(startingAfter === undefined ? {} : { starting_after: startingAfter }) },
    filters: { status },
  });
  return rows.map(printable);
}

/** Suspends or reactivates a tenant. The event is delivered although the tenant is suspended. */
export function changeTenantStatus(operator: Operator, tenantId: string, status: TenantStatus) {
  return changeTenant(operator, tenantId, async (change, before) => {
    if (status === 'active' && before.delete_after !== null) {
      throw new CommandError(`${tenantId} is scheduled for deletion; use plat-server tenants restore ${tenantId}`);
    }
    const { object: _, ...tenant } = await setTenantStatus(change, before, status);
    return tenant;
  });
}

interface MintOptions {
  readonly scopes?: readonly Scope[];
  /** Time for which the replaced key stays valid, in ms; 0 by default. */
  readonly keepPreviousMs?: number;
}

/** Replaces the API key of a tenant, in its owner's name. The replaced key is refused at once, or after a chosen time. */
export function mintTenantKey(
  operator: Operator,
  tenantId: string,
  { scopes = ALL_SCOPES, keepPreviousMs = 0 }: MintOptions,
) {
  return changeTenant(operator, tenantId, async (change, tenant) => {
    const { db, transaction, now } = change;
    const mode = tenant.sandbox === 1 ? 'test' : 'live';
    const createdBy = seededId(tenantId, 'user', 0);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode, scopes, createdBy, now, keepPreviousMs });
    const key = await findTenantKey(db, tenantId, now, transaction);
    if (!key) throw new Error(`the key of ${tenantId} is gone in the transaction that minted it`);
    await auditMint(change, key);
    const { previous_key } = key;
    return {
      tenant_id: tenantId,
      api_key: apiKey,
      ...(previous_key && { previous_key: previous_key.hint, previous_key_expires_at: previous_key.expires_at }),
    };
  });
}

/** Revokes the previous API key of a tenant before it expires. Shows its hint, or null if there was none. */
export function revokePreviousTenantKey(operator: Operator, tenantId: string) {
  return changeTenant(operator, tenantId, async (change) => {
    const { key, revoked } = await revokePreviousKey(change);
    return { tenant_id: tenantId, revoked_key: revoked?.hint ?? null, current_key: key.hint };
  });
}
