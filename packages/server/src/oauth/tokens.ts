import { createHmac } from 'node:crypto';
import { LIMITS, type Scope, type TokenResponse } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { execute } from '../db/sql.ts';
import { hashToken, newToken, tokenOf } from '../kernel/tokens.ts';

/** An access token with the refresh token that goes with it. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export function newTokens(): TokenPair {
  return { access: newToken('plat_at_'), refresh: newToken('plat_rt_') };
}

/** The pair that follows from a refresh token and a key of the server's: the same again when it is presented again. */
export function tokensAfter(presented: string, key: Buffer): TokenPair {
  const bytes = (purpose: string) => createHmac('sha256', key).update(`${purpose} ${presented}`).digest();
  return { access: tokenOf('plat_at_', bytes('access')), refresh: tokenOf('plat_rt_', bytes('refresh')) };
}

interface Issue {
  readonly grantId: string;
  /** That the refresh token is of: the grant's. */
  readonly generation: number;
  /** Of the access token. */
  readonly scopes: readonly Scope[];
  readonly now: number;
}

/** Keeps the hashes of a pair, in the transaction that moved the grant on to its generation. */
export async function storeTokens(
  db: Database,
  transaction: Transaction,
  { access, refresh }: TokenPair,
  { grantId, generation, scopes, now }: Issue,
): Promise<void> {
  await execute(
    db,
    `INSERT INTO oauth_access_tokens (token_hash, grant_id, scopes, expires_at)
     VALUES (:hash, :grantId, :scopes, :expiresAt)`,
    {
      hash: hashToken(access),
      grantId,
      scopes: JSON.stringify(scopes),
      expiresAt: now + LIMITS.accessTokenSeconds * 1000,
    },
    transaction,
  );
  await execute(
    db,
    `INSERT INTO oauth_refresh_tokens (token_hash, grant_id, generation, expires_at)
     VALUES (:hash, :grantId, :generation, :expiresAt)`,
    { hash: hashToken(refresh), grantId, generation, expiresAt: now + LIMITS.refreshTokenSeconds * 1000 },
    transaction,
  );
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
