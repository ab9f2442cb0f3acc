import { createHmac } from 'node:crypto';
import { LIMITS, type Scope, type TokenResponse } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { execute } from '../db/sql.ts';
import { insertInto } from '../db/statements.ts';
import { OAUTH_ACCESS_TOKENS, type OAuthAccessTokenRow } from '../db/tables/oauth-access-tokens.ts';
import { hashToken, newToken, tokenOf } from '../kernel/tokens.ts';
import { makeRefreshToken, newRefreshSecret, type RefreshToken } from './refresh-token.ts';

/** An access token with the refresh token that goes with it. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/**
 * @param refreshToken the grant, and the generation that the pair is of
 * @param macKey that the refresh token is signed with
 */
export function newTokens(refreshToken: RefreshToken, macKey: Buffer): TokenPair {
  return { access: newToken('plat_at_'), refresh: makeRefreshToken(refreshToken, newRefreshSecret(), macKey) };
}

/** Keys that a repeated answer follows from: both of one master key. */
export interface PairKeys {
  readonly grace: Buffer;
  readonly mac: Buffer;
}

/** The pair that follows from a presented refresh token: the same one again when it is presented again. */
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
  /** Hash of the access token whose place the new one takes: the one before the last. Null while there are fewer than two. */
  readonly replaces: Buffer | null;
}

/**
 * Stores the hash of an access token, in the transaction that moved the grant on. A grant has two of them at most. The row
 * of the oldest is used again, unless housekeeping has removed it.
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

/** What the app is answered. */
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
