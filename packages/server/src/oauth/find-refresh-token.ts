import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@plat/contract';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { columnsExcept, qualified } from '../db/statements.ts';
import { OAUTH_GRANTS, type OAuthGrantRow } from '../db/tables/oauth-grants.ts';
import type { TenantRow } from '../db/tables/tenants.ts';
import { hashToken, isWellFormedToken } from '../kernel/tokens.ts';
import { isIssued, readRefreshToken } from './refresh-token.ts';

const OF_GRANT = columnsExcept(OAUTH_GRANTS, [
  ...(['granted_by', 'revoked_reason', 'code_hash', 'code_challenge', 'redirect_uri'] as const),
  ...(['created_at', 'updated_at'] as const),
]);
const COLUMNS = `${qualified('g', OF_GRANT)}, t.status AS tenant_status, t.sandbox`;

/** The grant of a refresh token that this service issued, with its tenant. */
export interface FoundGrant extends Pick<OAuthGrantRow, (typeof OF_GRANT)[number]>, Pick<TenantRow, 'sandbox'> {
  readonly tenant_status: TenantRow['status'];
  /** Generation of the token. It was used before if the generation of the grant is higher. */
  readonly presented: number;
}

/**
 * Finds the grant of a refresh token, current or used before. Resolves to undefined if this service did not issue it.
 * The current token and the one before it are recognised by their hashes, independently of the keys. Older tokens are
 * recognised by their MACs.
 * @param macKeys one for each master key
 */
export async function findRefreshToken(
  db: Database,
  text: string,
  macKeys: readonly KeyObject[],
): Promise<FoundGrant | undefined> {
  const named = readRefreshToken(text);
  if (!named) return findOldToken(db, text);
  const { grantId, generation: presented } = named;
  const sql = `SELECT ${COLUMNS} FROM oauth_grants g JOIN tenants t ON t.id = g.tenant_id WHERE g.id = :grantId`;
  const grant = await selectOne<Omit<FoundGrant, 'presented'>>(db, sql, { grantId });
  if (!grant) return undefined;
  const isCurrent = presented === grant.generation && isHashOf(text, grant.refresh_hash);
  const wasUsed =
    presented < grant.generation && (isHashOf(text, grant.previous_refresh_hash) || isIssued(text, macKeys));
  return isCurrent || wasUsed ? { ...grant, presented } : undefined;
}

/**
 * Finds a token of 49 characters, issued before tokens contained their grant. It has its own row. This function and the
 * table can be removed 90 days (the lifetime of a refresh token) after the last server of the former version has
 * stopped.
 */
function findOldToken(db: Database, text: string): Promise<FoundGrant | undefined> {
  if (!isWellFormedToken('plat_rt_', text)) return Promise.resolve(undefined);
  return selectOne<FoundGrant>(
    db,
    `SELECT r.generation AS presented, ${COLUMNS}
     FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id JOIN tenants t ON t.id = g.tenant_id
     WHERE r.token_hash = :hash`,
    { hash: hashToken(text) },
  );
}

/**
 * Returns true if a token of the grant may be exchanged now: up to 90 days after the last exchange, while the grant is
 * live.
 */
export function isRefreshable({ status, refreshed_at, expires_at }: FoundGrant, now: number): boolean {
  const idleUntil = (refreshed_at ?? 0) + LIMITS.refreshTokenSeconds * 1000;
  return status === 'active' && idleUntil > now && expires_at > now;
}

export function isHashOf(token: string, stored: Buffer | null): boolean {
  return stored !== null && timingSafeEqual(hashToken(token), Buffer.from(stored));
}
