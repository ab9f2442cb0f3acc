import type { Transaction } from 'sequelize';
import { isSlug } from '../accounts/catalog.ts';
import type { Database } from '../db/database.ts';
import { findById } from '../db/find.ts';
import { CLIENTS } from '../db/tables/clients.ts';
import { USERS } from '../db/tables/users.ts';
import { ApiError } from '../kernel/api-error.ts';
import { readLaunchUrl } from './launch-url.ts';

interface Looking {
  readonly db: Database;
  readonly tenantId: string;
  readonly transaction: Transaction | null;
}

/**
 * Returns the lifetime of the tenant's launch tokens, in seconds.
 * @throws {@link ApiError} NOT_FOUND, TENANT_SUSPENDED
 */
export async function findLifetime({ db, tenantId, transaction }: Looking): Promise<number> {
  const tenant = await db.models.tenant.findByPk(tenantId, { transaction, raw: true });
  const settings = await db.models.settings.findByPk(tenantId, { transaction, raw: true });
  if (!tenant || !settings) throw new ApiError('NOT_FOUND', 'There is no such tenant');
  if (tenant.status !== 'active') {
    throw new ApiError('TENANT_SUSPENDED', 'The tenant is suspended; nothing is launched until it is reactivated');
  }
  return settings.launch_token_ttl_seconds;
}

/** A module that can be launched. */
export interface LaunchableModule {
  readonly slug: string;
  readonly name: string;
  readonly launchUrl: URL;
  readonly audience: string;
}

/** @throws {@link ApiError} MODULE_NOT_FOUND, MODULE_NOT_LAUNCHABLE */
export async function findModule({ db, transaction }: Looking, slug: string): Promise<LaunchableModule> {
  const row = isSlug(slug) ? await db.models.module.findOne({ where: { slug }, transaction, raw: true }) : null;
  if (!row) throw new ApiError('MODULE_NOT_FOUND', 'There is no such module in the catalog');
  const launchUrl = readLaunchUrl(row.launch_url);
  if (!launchUrl) {
    throw new ApiError('MODULE_NOT_LAUNCHABLE', `The module ${row.slug} has no launch_url to post a token to`);
  }
  if (!row.audience) {
    throw new ApiError('MODULE_NOT_LAUNCHABLE', `The module ${row.slug} has no audience to issue a token for`);
  }
  return { slug: row.slug, name: row.name, launchUrl, audience: row.audience };
}

/** @throws {@link ApiError} CLIENT_NOT_FOUND, UNPROCESSABLE */
export async function checkClient(looking: Looking, id: string): Promise<void> {
  const client = await findById(looking, {
    table: CLIENTS,
    columns: ['status'],
    kind: 'client',
    id,
    missing: 'CLIENT_NOT_FOUND',
  });
  if (client.status !== 'active')
    throw new ApiError('UNPROCESSABLE', 'The client is inactive: nothing is launched in it');
}

/**
 * Returns the role of a user who may be launched into a client.
 * @throws {@link ApiError} USER_NOT_FOUND, UNPROCESSABLE
 */
export async function findRoleIn(looking: Looking, clientId: string, id: string): Promise<string> {
  const user = await findById(looking, {
    table: USERS,
    columns: ['role', 'status', 'client_id'],
    kind: 'user',
    id,
    missing: 'USER_NOT_FOUND',
  });
  if (user.status !== 'active') {
    throw new ApiError('UNPROCESSABLE', `The user is ${user.status}: only an active one can launch a module`);
  }
  if (user.client_id !== null && user.client_id !== clientId) {
    throw new ApiError('UNPROCESSABLE', 'The user belongs to another client, and can be launched into that one only');
  }
  return user.role;
}
