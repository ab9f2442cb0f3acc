import { findOtherAccounts } from '../../accounts/other-accounts.ts';
import type { AdminSession } from '../../accounts/session.ts';
import type { Account } from '../../accounts/sign-in.ts';
import { findTenant } from '../../accounts/tenants.ts';
import { mayActFor } from '../../auth/access-tokens.ts';
import type { Database } from '../../db/database.ts';
import type { TenantRow } from '../../db/tables/tenants.ts';
import { tenantSuspended } from '../../http/gate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { refuseField } from '../refusals.ts';
import { appNotVerified, ownersOnly } from '../tenant-rules.ts';
import type { RequestingApp } from './authorization-request.ts';

export async function findSessionTenant(db: Database, session: AdminSession | null): Promise<TenantRow | null> {
  return session ? findTenant(db, session.tenantId, null) : null;
}

/** @throws {@link ApiError} APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT */
export function checkAppMayUse(app: RequestingApp, tenant: TenantRow): void {
  if (!mayActFor(app, tenant)) throw appNotVerified();
}

/** @throws {@link ApiError} TENANT_SUSPENDED */
export function checkTenantActive(tenant: TenantRow): void {
  if (tenant.status !== 'active') throw tenantSuspended();
}

export function isOwner({ role }: Pick<AdminSession | Account, 'role'>): boolean {
  return role === 'owner';
}

/** @throws {@link ApiError} FORBIDDEN */
export function checkOwner(session: AdminSession): void {
  if (!isOwner(session)) throw ownersOnly();
}

/** @throws {@link ApiError} FORBIDDEN when the owner denies access, INVALID_REQUEST for another value */
export function checkDecision(decision: string | undefined): void {
  if (decision === 'deny') throw new ApiError('FORBIDDEN', 'The owner of the tenant denied access');
  if (decision !== 'allow') throw refuseField('decision', 'must be allow or deny');
}

/**
 * Finds another account of the signed-in user.
 * @throws {@link ApiError} FORBIDDEN
 */
export async function findOtherAccount(
  db: Database,
  session: AdminSession | null,
  userId: string | undefined,
): Promise<Account> {
  const account = session && (await findOtherAccounts(db, session)).find((other) => other.userId === userId);
  if (!account) throw new ApiError('FORBIDDEN', 'You are not an active user of this tenant');
  return account;
}
