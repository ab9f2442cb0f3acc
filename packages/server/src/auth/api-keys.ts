import { ALL_SCOPES, isScope, type Scope } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { execute, selectOne } from '../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, isWellFormedToken, newToken } from '../kernel/tokens.ts';
import type { Credential } from './credential.ts';

interface KeyRow {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly scopes: string;
  readonly created_by: string | null;
  readonly status: 'active' | 'suspended' | null;
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
    `SELECT k.id, k.tenant_id, k.scopes, k.created_by, t.status
     FROM api_keys k LEFT JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = :hash`,
    { hash: hashToken(token) },
  );
  if (!row) return null;
  if (row.tenant_id === null) return 'vendor';
  if (row.status === null) return null;
  return {
    type: 'api_key',
    id: row.id,
    tenantId: row.tenant_id,
    tenantStatus: row.status,
    scopes: parseScopes(row.scopes),
    userId: row.created_by,
  };
}

interface NewKey {
  /** null makes a legacy vendor key, which /v1 refuses. */
  readonly tenantId: string | null;
  readonly mode: 'live' | 'test';
  readonly scopes?: readonly Scope[];
  readonly createdBy?: string | null;
  readonly now: number;
}

/** Mints the API key of a tenant in place of the one it had. The key itself is returned once and stored as a hash. */
export async function mintApiKey(db: Database, transaction: Transaction, key: NewKey): Promise<string> {
  const token = newToken(`plat_${key.mode}_`);
  await execute(db, 'DELETE FROM api_keys WHERE tenant_id = :tenantId', { tenantId: key.tenantId }, transaction);
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
      createdBy: key.createdBy ?? null,
      now: key.now,
    },
    transaction,
  );
  return token;
}

function parseScopes(text: string): readonly Scope[] {
  const scopes: unknown = JSON.parse(text);
  return Array.isArray(scopes) ? scopes.filter(isScope) : [];
}
