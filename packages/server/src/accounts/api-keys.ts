import type { ApiKey, ApiKeyWithSecret, Deleted, Scope } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { mintApiKey } from '../auth/api-keys.ts';
import { parseScopes } from '../auth/scopes.ts';
import type { Change } from '../change.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import { seededId } from '../kernel/ids.ts';

/** Returns the API key of a tenant without its secret; null if there is none. */
export async function findTenantKey(
  db: Database,
  tenantId: string,
  transaction: Transaction | null = null,
): Promise<ApiKey | null> {
  const row = await db.models.apiKey.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
  return row
    ? {
        object: 'api_key',
        id: row.id,
        tenant_id: tenantId,
        hint: row.hint,
        scopes: parseScopes(row.scopes),
        created_at: isoTime(row.created_at),
      }
    : null;
}

/**
 * Creates the API key of a sandbox and replaces its former key, which stops working with the commit. Only this response
 * contains the key. Changes made with it have the owner of the sandbox, the developer, as actor.
 */
export async function createSandboxKey(change: Change, scopes?: readonly Scope[]): Promise<ApiKeyWithSecret> {
  const { db, transaction, tenantId, now } = change;
  const api_key = await mintApiKey(db, transaction, {
    tenantId,
    mode: 'test',
    createdBy: seededId(tenantId, 'user', 0),
    now,
    ...(scopes ? { scopes: [...new Set(scopes)] } : {}),
  });
  const key = await findTenantKey(db, tenantId, transaction);
  if (!key) throw new Error(`the key of ${tenantId} is gone in the transaction that minted it`);
  await change.audit({ action: 'api_key.minted', target: { type: 'api_key', id: key.id }, at: now });
  return { ...key, api_key };
}

/**
 * Revokes the API key of a tenant.
 * @throws {@link ApiError} API_KEY_NOT_FOUND
 */
export async function revokeTenantKey(change: Change): Promise<Deleted<'api_key'>> {
  const { db, transaction, tenantId, now } = change;
  const key = await findTenantKey(db, tenantId, transaction);
  if (!key) throw noKey();
  await db.models.apiKey.destroy({ where: { tenant_id: tenantId }, transaction });
  await change.audit({ action: 'api_key.revoked', target: { type: 'api_key', id: key.id }, at: now });
  return { object: 'api_key', id: key.id, deleted: true };
}

/** Returns the refusal for a tenant without a key. */
export function noKey(): ApiError {
  return new ApiError('API_KEY_NOT_FOUND', 'The tenant has no API key');
}
