import type { Actor } from '../change.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { KnownApp } from './authenticate-app.ts';
import type { PairKeys } from './tokens.ts';

/** What the grant types of the token endpoint know of the request they serve. */
export interface TokenCall {
  readonly db: Database;
  readonly app: KnownApp;
  /** The app, for the audit trail. */
  readonly actor: Actor;
  /** In ms. */
  readonly now: number;
  /** How long, in ms, a repeated refresh gets the same answer again; 0: it ends the family at once. */
  readonly graceMs: number;
  /** One for each master key, the current one first. */
  readonly keys: readonly PairKeys[];
}

/** The keys that new tokens are made with. */
export function currentKeys([current]: readonly PairKeys[]): PairKeys {
  if (!current) throw new Error('a server has at least one master key');
  return current;
}

/** One refusal for all that is not valid, so that nothing is learnt of what others have. */
export function invalidGrant(what: 'authorization code' | 'refresh token'): ApiError {
  return new ApiError('INVALID_GRANT', `The ${what} is unknown, expired, revoked or another app's`);
}

export function usedBefore(what: 'authorization code' | 'refresh token'): ApiError {
  return new ApiError(
    'INVALID_GRANT',
    `The ${what} was used before, so all tokens of this consent are revoked; ask for consent again`,
  );
}
