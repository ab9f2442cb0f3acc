import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ALL_SCOPES } from '@plat/contract';
import type { Connection } from 'mysql2/promise';
import { newId } from './ids.ts';

/** A production tenant, and the key to it. */
export interface BenchTenant {
  readonly id: string;
  readonly apiKey: string;
}

/** Makes a production tenant with a key, as the operator would. */
export async function createTenant(connection: Connection): Promise<BenchTenant> {
  const id = newId('tnt');
  const apiKey = newKey();
  const now = Date.now();
  await connection.query(
    `INSERT INTO tenants (id, name, status, plan_id, sandbox, created_at, updated_at) VALUES (?, 'Bench', 'active', NULL, 0, ?, ?)`,
    [id, now, now],
  );
  await connection.query(
    `INSERT INTO api_keys (id, tenant_id, key_hash, hint, scopes, created_by, created_at) VALUES (?, ?, ?, 'bench', ?, ?, ?)`,
    [newId('key'), id, createHash('sha256').update(apiKey).digest(), JSON.stringify(ALL_SCOPES), newId('usr'), now],
  );
  return { id, apiKey };
}

/** A key as the service makes them: 43 characters by chance, and six by which its form is checked. */
function newKey(): string {
  const secret = `plat_live_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`;
  return secret + base62(BigInt(crc32(secret)), 6);
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
