import { createHmac, type KeyObject } from 'node:crypto';
import { LIMITS, type Scope, type TokenResponse } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { execute } from '../db/sql.ts';
import { insertInto } from '../db/statements.ts';
import { OAUTH_ACCESS_TOKENS, type OAuthAccessTokenRow } from '../db/tables/oauth-access-tokens.ts';
import { hashToken, newToken, tokenOf } from '../kernel/tokens.ts';
import { makeRefreshToken, newRefreshSecret, type RefreshToken } from './refresh-token.ts';

/** An access token with its refresh token. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/**
 * Creates a pair of random tokens.
 * @param refreshToken the grant and the generation of the pair
 * @param macKey key of the refresh token's MAC
 */
export function newTokens(refreshToken: RefreshToken, macKey: KeyObject): TokenPair {
  return { access: newToken('plat_at_'), refresh: makeRefreshToken(refreshToken, newRefreshSecret(), macKey) };
}

/** Keys from which the tokens of a pair are derived, both from one master key. */
export interface PairKeys {
  readonly grace: Buffer;
  readonly mac: KeyObject;
}

/** Derives the pair that follows a presented refresh token. The same token gives the same pair. */
export function tokensAfter(presented: string, refreshToken: RefreshToken, { grace, mac }: PairKeys): TokenPair {
  const bytes = (purpose: string) => createHmac('sha256', grace).update(`${purpose} ${presented}`).digest();
  return {
    access: tokenOf('plat_at_', bytes('access')),
    refresh: makeRefreshToken(refreshToken, bytes('refresh'), mac),
  };
}

const INSERT = insertInto(OAUTH_ACCESS_TOKENS);

interface Issue {
  readonly grantId: string;
  readonly scopes: readonly Scope[];
  readonly now: number;
  /**
   * Hash of the access token that the new one replaces: the one before the last. Null while there are fewer than two.
   */
  readonly replaces: Buffer | null;
}

/**
 * Stores the hash of an access token, in the transaction that rotated the grant. A grant has at most two. The row of
 * the oldest is reused, unless housekeeping has deleted it.
 */
export async function storeAccessToken(
  db: Database,
  transaction: Transaction,
  access: string,
  { grantId, scopes, now, replaces }: Issue,
): Promise<void> {
  const row: OAuthAccessTokenRow = {
    token_hash: hashToken(access),
    grant_id: grantId,
    scopes: JSON.stringify(scopes),
    expires_at: now + LIMITS.accessTokenSeconds * 1000,
  };
  const moved =
    replaces !== null &&
    (await execute(
      db,
      `UPDATE oauth_access_tokens SET token_hash = :token_hash, scopes = :scopes, expires_at = :expires_at
       WHERE token_hash = :replaces AND grant_id = :grant_id`,
      { ...row, replaces: Buffer.from(replaces) },
      transaction,
    ));
  if (moved) return;
  await execute(db, INSERT, { ...row }, transaction);
}

/** Returns the body of the token response. */
export function tokenResponse(
  { access, refresh }: TokenPair,
  scopes: readonly Scope[],
  expiresIn: number = LIMITS.accessTokenSeconds,
): TokenResponse {
  return {
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: expiresIn,
    scope: scopes.join(' '),
  };
}
