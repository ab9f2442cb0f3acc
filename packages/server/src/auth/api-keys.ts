import { ALL_SCOPES, type Scope } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { lockTenant } from '../db/row-lock.ts';
import { selectOne } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { ApiKeyRow } from '../db/tables/api-keys.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, isWellFormedToken, newToken } from '../kernel/tokens.ts';
import type { Credential } from './credential.ts';
import { parseScopes } from './scopes.ts';

const READ_SCOPES = ALL_SCOPES.filter((scope) => scope.endsWith(':read'));

const OF_KEY = ['id', 'tenant_id', 'scopes', 'created_by'] as const;

/** Row of a key. The tenant's columns are null for a key without a tenant. */
interface KeyRow extends Pick<ApiKeyRow, (typeof OF_KEY)[number]> {
  readonly status: TenantRow['status'] | null;
  readonly sandbox: TenantRow['sandbox'] | null;
  readonly captures_bodies: TenantRow['captures_bodies'] | null;
}

const CURRENT = `SELECT ${qualified('k', OF_KEY)}, t.status, t.sandbox, t.captures_bodies
  FROM api_keys k LEFT JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = :hash`;
/** Keys that expire: replaced keys, and those of the operator's support. */
const EXPIRING = ['previous_api_keys', 'support_keys']
  .map(
    (table) => `SELECT ${qualified('k', OF_KEY)}, t.status, t.sandbox, t.captures_bodies
  FROM ${table} k LEFT JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = :hash AND k.expires_at > :now`,
  )
  .join(' UNION ALL ');

/** Result of the look-up of a presented API key. */
export type KeyLookup = Credential | VendorKey | null;

/** A key without a tenant, for a billing system. */
interface VendorKey {
  readonly type: 'vendor_key';
  readonly id: string;
}

/**
 * Looks up a presented API key by its hash, in one indexed query, and one more if it is not a current key. A key that
 * was revoked, or replaced without an overlap, is refused with the next request, in every process.
 */
export async function findApiKey(db: Database, token: string, now: number): Promise<KeyLookup> {
  if (!isWellFormedToken('plat_live_', token) && !isWellFormedToken('plat_test_', token)) return null;
  const hash = hashToken(token);
  const row =
    (await selectOne<KeyRow>(db, CURRENT, { hash })) ?? (await selectOne<KeyRow>(db, EXPIRING, { hash, now }));
  if (!row) return null;
  if (row.tenant_id === null) return { type: 'vendor_key', id: row.id };
  if (row.status === null || row.created_by === null) return null;
  return {
    type: 'api_key',
    id: row.id,
    actor: { type: 'api_key', id: row.id },
    tenantId: row.tenant_id,
    tenantStatus: row.status,
    sandbox: row.sandbox === 1,
    capturesBodies: row.captures_bodies === 1,
    scopes: parseScopes(row.scopes),
    userId: row.created_by,
  };
}

/** A new key, with the text that is shown once. */
interface MintedKey {
  readonly id: string;
  readonly apiKey: string;
}

interface NewKey {
  readonly tenantId: string;
  readonly mode: 'live' | 'test';
  readonly scopes?: readonly Scope[];
  /** Id of the user who creates the key. The user is the actor of the changes made with it. */
  readonly createdBy: string;
  readonly now: number;
  /** Time for which the replaced key stays valid, in ms; 0 by default. */
  readonly keepPreviousMs?: number;
}

/**
 * Creates the API key of a tenant and replaces its current key. The key is returned once and stored as a hash. Changes of
 * the key of one tenant run one after the other.
 */
export async function mintApiKey(db: Database, transaction: Transaction, key: NewKey): Promise<string> {
  const { tenantId, now, keepPreviousMs = 0 } = key;
  await lockTenant(db, tenantId, transaction);
  const where = { tenant_id: tenantId };
  const replaced = keepPreviousMs === 0 ? null : await db.models.apiKey.findOne({ where, transaction, raw: true });
  await deleteKeys(db, transaction, tenantId);
  if (replaced) {
    const previous = { ...replaced, tenant_id: tenantId, expires_at: now + keepPreviousMs };
    await db.models.previousApiKey.create(previous, { transaction });
  }
  return (await insertKey(db, transaction, key)).apiKey;
}

/** Deletes the API key of a tenant, and the one that it replaced. */
export async function deleteKeys(db: Database, transaction: Transaction, tenantId: string): Promise<void> {
  await db.models.apiKey.destroy({ where: { tenant_id: tenantId }, transaction });
  await deletePreviousKey(db, transaction, tenantId);
}

/** Deletes the API key that the current key of a tenant replaced. */
export async function deletePreviousKey(db: Database, transaction: Transaction, tenantId: string): Promise<void> {
  await db.models.previousApiKey.destroy({ where: { tenant_id: tenantId }, transaction });
}

interface NewSupportKey {
  readonly tenantId: string;
  readonly mode: 'live' | 'test';
  readonly reason: string;
  /** Id of the user in whose name it reads. */
  readonly createdBy: string;
  readonly now: number;
  /** In ms. */
  readonly expiresAt: number;
}

/** Creates a key that reads everything of a tenant and changes nothing. */
export async function mintSupportKey(
  db: Database,
  transaction: Transaction,
  { tenantId, mode, reason, createdBy, now, expiresAt }: NewSupportKey,
): Promise<MintedKey> {
  const { apiKey, ...row } = newKeyRow({ mode, now, createdBy, scopes: READ_SCOPES });
  const key = { ...row, tenant_id: tenantId, created_by: createdBy, reason, expires_at: expiresAt };
  await db.models.supportKey.create(key, { transaction });
  return { id: row.id, apiKey };
}

/** Creates a vendor key. It has no tenant and is refused on /v1 (specification, Authentication 11). */
export function mintVendorKey(db: Database, transaction: Transaction, now: number): Promise<MintedKey> {
  return insertKey(db, transaction, { tenantId: null, mode: 'live', createdBy: null, now });
}

type KeyToInsert = Omit<NewKey, 'tenantId' | 'createdBy' | 'keepPreviousMs'> &
  Record<'tenantId' | 'createdBy', string | null>;

async function insertKey(db: Database, transaction: Transaction, key: KeyToInsert): Promise<MintedKey> {
  const { apiKey, ...row } = newKeyRow(key);
  await db.models.apiKey.create({ ...row, tenant_id: key.tenantId }, { transaction });
  return { id: row.id, apiKey };
}

/** Generates a key and the columns that describe it. */
function newKeyRow({ mode, now, createdBy, scopes = ALL_SCOPES }: Omit<KeyToInsert, 'tenantId'>) {
  const apiKey = newToken(`plat_${mode}_`);
  return {
    id: newId('api_key', now),
    key_hash: hashToken(apiKey),
    hint: `plat_${mode}_...${apiKey.slice(-4)}`,
    scopes: JSON.stringify(scopes),
    created_by: createdBy,
    created_at: now,
    last_used_at: null,
    apiKey,
  };
}
