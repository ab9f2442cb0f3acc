import { ALL_SCOPES } from '@plat/contract';
import { hashToken, newToken } from '@plat/server/testing';
import type { Connection } from 'mysql2/promise';
import { newId } from './ids.ts';

/** A production tenant and its key. */
export interface BenchTenant {
  readonly id: string;
  readonly apiKey: string;
}

/** Creates a production tenant with a key, as the operator does. */
export async function createTenant(connection: Connection): Promise<BenchTenant> {
  const id = newId('tnt');
  const apiKey = newToken('plat_live_');
  const now = Date.now();
  await connection.query(
    `INSERT INTO tenants (id, name, status, plan_id, sandbox, created_at, updated_at) VALUES (?, 'Bench', 'active', NULL, 0, ?, ?)`,
    [id, now, now],
  );
  await connection.query(
    `INSERT INTO api_keys (id, tenant_id, key_hash, hint, scopes, created_by, created_at) VALUES (?, ?, ?, 'bench', ?, ?, ?)`,
    [newId('key'), id, hashToken(apiKey), JSON.stringify(ALL_SCOPES), newId('usr'), now],
  );
  return { id, apiKey };
}
