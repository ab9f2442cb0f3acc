import { ALL_SCOPES, type Scope } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { execute, selectOne } from '../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, isWellFormedToken, newToken } from '../kernel/tokens.ts';
import type { Credential } from './credential.ts';
import { parseScopes } from './scopes.ts';

interface KeyRow {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly scopes: string;
  readonly created_by: string | null;
  readonly status: 'active' | 'suspended' | null;
  readonly sandbox: 0 | 1 | null;
}

/** What a presented API key turned out to be. */
export type KeyLookup = Credential | 'vendor' | null;

/**
 * Looks a presented API key up by its hash. One indexed query each time: a key that was replaced or revoked
 * is refused with the very next request, in every process.
 */
export async function findApiKey(db: Database, token: string): Promise<KeyLookup> {
  if (!isWellFormedToken('plat_live_', token) && !isWellFormedToken('plat_test_', token)) return null;
  const row = await selectOne<KeyRow>(
    db,
    `SELECT k.id, k.tenant_id, k.scopes, k.created_by, t.status, t.sandbox
     FROM api_keys k LEFT JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = :hash`,
    { hash: hashToken(token) },
  );
  if (!row) return null;
  if (row.tenant_id === null) return 'vendor';
  if (row.status === null || row.created_by === null) return null;
  return {
    type: 'api_key',
    id: row.id,
    actor: { type: 'api_key', id: row.id },
    tenantId: row.tenant_id,
    tenantStatus: row.status,
    sandbox: row.sandbox === 1,
    scopes: parseScopes(row.scopes),
    userId: row.created_by,
  };
}

interface NewKey {
  readonly tenantId: string;
  readonly mode: 'live' | 'test';
  readonly scopes?: readonly Scope[];
  /** The user who mints it: behind its changes it is this user who acts. */
  readonly createdBy: string;
  readonly now: number;
}

/** Mints the API key of a tenant in place of the one it had. The key itself is returned once and stored as a hash. */
export async function mintApiKey(db: Database, transaction: Transaction, key: NewKey): Promise<string> {
  await execute(db, 'DELETE FROM api_keys WHERE tenant_id = :tenantId', { tenantId: key.tenantId }, transaction);
  return insertKey(db, transaction, key);
}

/** Makes a legacy vendor-tier key: of no tenant, refused on /v1 (specification, Authentication 11). */
export function mintVendorKey(db: Database, transaction: Transaction, now: number): Promise<string> {
  return insertKey(db, transaction, { tenantId: null, mode: 'live', createdBy: null, now });
}

type KeyToInsert = Omit<NewKey, 'tenantId' | 'createdBy'> & Record<'tenantId' | 'createdBy', string | null>;

async function insertKey(db: Database, transaction: Transaction, key: KeyToInsert): Promise<string> {
  const token = newToken(`plat_${key.mode}_`);
  await execute(
    db,
    `INSERT INTO api_keys (id, tenant_id, key_hash, hint, scopes, created_by, created_at)
     VALUES (:id, :tenantId, :hash, :hint, :scopes, :createdBy, :now)`,
    {
      id: newId('api_key', key.now),
      tenantId: key.tenantId,
      hash: hashToken(token),
      hint: `plat_${key.mode}_...${token.slice(-4)}`,
      scopes: JSON.stringify(key.scopes ?? ALL_SCOPES),
      createdBy: key.createdBy,
      now: key.now,
    },
    transaction,
  );
  return token;
}
