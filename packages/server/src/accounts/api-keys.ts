import type { ApiKey, ApiKeyMintParams, ApiKeyWithSecret, Deleted, PreviousApiKey } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { deleteKeys, deletePreviousKey, mintApiKey } from '../auth/api-keys.ts';
import { parseScopes } from '../auth/scopes.ts';
import type { Change } from '../change.ts';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import type { PreviousApiKeyRow } from '../db/tables/previous-api-keys.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';
import { seededId } from '../kernel/ids.ts';

/** Returns the API key of a tenant without its secret; null if there is none. `now` is in ms. */
export async function findTenantKey(
  db: Database,
  tenantId: string,
  now: number,
  transaction: Transaction | null = null,
): Promise<ApiKey | null> {
  const where = { tenant_id: tenantId };
  const row = await db.models.apiKey.findOne({ where, transaction, raw: true });
  const previous = await db.models.previousApiKey.findOne({ where, transaction, raw: true });
  return row
    ? {
        object: 'api_key',
        id: row.id,
        tenant_id: tenantId,
        hint: row.hint,
        scopes: parseScopes(row.scopes),
        created_at: isoTime(row.created_at),
        last_used_at: isoTimeOrNull(row.last_used_at),
        previous_key: previous && previous.expires_at > now ? presentPrevious(previous) : null,
      }
    : null;
}

function presentPrevious({ id, hint, last_used_at, expires_at }: PreviousApiKeyRow): PreviousApiKey {
  return {
    object: 'previous_api_key',
    id,
    hint,
    last_used_at: isoTimeOrNull(last_used_at),
    expires_at: isoTime(expires_at),
  };
}

/** The key to create, and in whose name it acts. */
export interface KeyOwner {
  readonly sandbox: boolean;
  /** Id of the user who is the actor of changes made with the key. */
  readonly userId: string;
}

/**
 * Creates the API key of a tenant and replaces its current key, which is refused from the commit on unless `expires_in`
 * says otherwise. Only this response contains the key.
 */
export async function createTenantKey(
  change: Change,
  { sandbox, userId }: KeyOwner,
  { scopes, expires_in = 0 }: ApiKeyMintParams,
): Promise<ApiKeyWithSecret> {
  const { db, transaction, tenantId, now } = change;
  const api_key = await mintApiKey(db, transaction, {
    tenantId,
    mode: sandbox ? 'test' : 'live',
    createdBy: userId,
    now,
    keepPreviousMs: expires_in * 1000,
    ...(scopes ? { scopes: [...new Set(scopes)] } : {}),
  });
  const key = await findTenantKey(db, tenantId, now, transaction);
  if (!key) throw new Error(`the key of ${tenantId} is gone in the transaction that minted it`);
  await auditMint(change, key);
  return { ...key, api_key };
}

/** Creates the API key of a sandbox. Its developer acts as the first owner. */
export function createSandboxKey(change: Change, params: ApiKeyMintParams): Promise<ApiKeyWithSecret> {
  return createTenantKey(change, { sandbox: true, userId: seededId(change.tenantId, 'user', 0) }, params);
}

/** Records the creation of a key, and how long the replaced one stays valid. */
export async function auditMint(change: Change, { id, scopes, previous_key }: ApiKey): Promise<void> {
  const until = previous_key && { previous_key_expires_at: { before: null, after: previous_key.expires_at } };
  await change.audit({
    action: 'api_key.minted',
    target: { type: 'api_key', id },
    changes: { scopes: { before: null, after: scopes }, ...until },
    at: change.now,
  });
}

/**
 * Revokes the API key of a tenant, and the one that it replaced.
 * @throws {@link ApiError} API_KEY_NOT_FOUND
 */
export async function revokeTenantKey(change: Change): Promise<Deleted<'api_key'>> {
  const { db, transaction, tenantId, now } = change;
  await lockTenant(db, tenantId, transaction);
  const key = await findTenantKey(db, tenantId, now, transaction);
  if (!key) throw noKey();
  await deleteKeys(db, transaction, tenantId);
  await change.audit({ action: 'api_key.revoked', target: { type: 'api_key', id: key.id }, at: now });
  return { object: 'api_key', id: key.id, deleted: true };
}

/** The current key after a revocation of the previous one, which is null if nothing was revoked. */
interface RevokedPrevious {
  readonly key: ApiKey;
  readonly revoked: PreviousApiKey | null;
}

/**
 * Revokes the previous API key of a tenant, which was replaced with an overlap, before it expires. Changes nothing if
 * there is none.
 * @param expectedId id of the key to revoke; any if absent
 * @throws {@link ApiError} API_KEY_NOT_FOUND if the tenant has no current key
 */
export async function revokePreviousKey(change: Change, expectedId?: string): Promise<RevokedPrevious> {
  const { db, transaction, tenantId, now } = change;
  await lockTenant(db, tenantId, transaction);
  const key = await findTenantKey(db, tenantId, now, transaction);
  if (!key) throw noKey();
  const { previous_key: previous } = key;
  if (previous === null || (expectedId ?? previous.id) !== previous.id) return { key, revoked: null };
  await deletePreviousKey(db, transaction, tenantId);
  await change.audit({ action: 'api_key.revoked', target: { type: 'api_key', id: previous.id }, at: now });
  return { key: { ...key, previous_key: null }, revoked: previous };
}

/** Returns the refusal for a tenant without a key. */
export function noKey(): ApiError {
  return new ApiError('API_KEY_NOT_FOUND', 'The tenant has no API key');
}
