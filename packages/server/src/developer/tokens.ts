import { LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { DeveloperTokenRow } from '../db/tables/developer-tokens.ts';
import type { DeveloperRow } from '../db/tables/developers.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { newId } from '../kernel/ids.ts';
import { hashToken, isWellFormedToken, newToken } from '../kernel/tokens.ts';
import type { DeveloperCaller } from './caller.ts';

/** Minimum time between two stored uses of a token, in ms, so that not every request writes to the database. */
const STORE_USE_EVERY_MS = 3_600_000;

const OF_TOKEN = ['id', 'developer_id', 'created_at', 'last_used_at', 'expires_at'] as const;

interface TokenRow
  extends Pick<DeveloperTokenRow, (typeof OF_TOKEN)[number]>,
    Pick<DeveloperRow, 'tenant_id'>,
    Pick<TenantRow, 'status' | 'sandbox'> {}

/** Returns the caller of a developer API token, if it is valid. A revoked token is refused with the next request. */
export async function findDeveloperToken(db: Database, token: string, now: number): Promise<DeveloperCaller | null> {
  if (!isWellFormedToken('plat_dv_', token)) return null;
  const row = await selectOne<TokenRow>(
    db,
    `SELECT ${qualified('k', OF_TOKEN)}, d.tenant_id, t.status, t.sandbox
     FROM developer_tokens k
     JOIN developers d ON d.id = k.developer_id
     JOIN tenants t ON t.id = d.tenant_id
     WHERE k.token_hash = :hash`,
    { hash: hashToken(token) },
  );
  if (!row || row.expires_at <= now) return null;
  if (now - row.last_used_at >= STORE_USE_EVERY_MS) await storeUse(db, row, now);
  return {
    id: row.id,
    sessionId: row.id,
    actor: { type: 'developer', id: row.developer_id },
    tenantId: row.tenant_id,
    tenantStatus: row.status,
    sandbox: row.sandbox === 1,
    // This surface has no scopes: every caller may use all of it.
    scopes: [],
  };
}

interface NewToken {
  readonly developerId: string;
  readonly clientName: string;
  readonly ip: string | null;
  readonly now: number;
}

/** Creates a token. The token is returned once and stored as a hash. */
export async function createDeveloperToken(
  db: Database,
  transaction: Transaction,
  { developerId, clientName, ip, now }: NewToken,
): Promise<{ readonly id: string; readonly token: string; readonly expiresAt: number }> {
  const id = newId('developer_token', now);
  const token = newToken('plat_dv_');
  const expiresAt = expiryOf(now, now);
  await db.models.developerToken.create(
    {
      id,
      developer_id: developerId,
      token_hash: hashToken(token),
      client_name: clientName,
      ip,
      created_at: now,
      last_used_at: now,
      expires_at: expiresAt,
    },
    { transaction },
  );
  return { id, token, expiresAt };
}

/** Deletes a token in the transaction of the caller. Resolves to true if it existed. */
export async function deleteDeveloperToken(
  db: Database,
  transaction: Transaction,
  { id, developerId }: { readonly id: string; readonly developerId: string },
): Promise<boolean> {
  return (await db.models.developerToken.destroy({ where: { id, developer_id: developerId }, transaction })) > 0;
}

async function storeUse(db: Database, { id, created_at }: TokenRow, now: number): Promise<void> {
  const use = { last_used_at: now, expires_at: expiryOf(created_at, now) };
  await unitOfWork(db, (transaction) => db.models.developerToken.update(use, { where: { id }, transaction }));
}

function expiryOf(createdAt: number, usedAt: number): number {
  const { idleSeconds, seconds } = LIMITS.developerToken;
  return Math.min(usedAt + idleSeconds * 1000, createdAt + seconds * 1000);
}
