import type { Actor } from '../change.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { KnownApp } from './authenticate-app.ts';
import type { PairKeys } from './tokens.ts';

/** The request that a grant type of the token endpoint serves. */
export interface TokenCall {
  readonly db: Database;
  readonly app: KnownApp;
  /** The app, for the audit trail. */
  readonly actor: Actor;
  /** Time of the request, in ms. */
  readonly now: number;
  /** Time during which a repeated refresh gets the same response, in ms. With 0 it ends the family at once. */
  readonly graceMs: number;
  /** Notes the grant of the app that the code or token belongs to, for the log of refusals. */
  readonly found: (grantId: string) => void;
  /** One for each master key, the current one first. */
  readonly keys: readonly PairKeys[];
}

/** Returns the keys of new tokens. */
export function currentKeys([current]: readonly PairKeys[]): PairKeys {
  if (!current) throw new Error('a server has at least one master key');
  return current;
}

/** Returns one refusal for every invalid value, so that an app learns nothing about codes and tokens of other apps. */
export function invalidGrant(what: 'authorization code' | 'refresh token'): ApiError {
  return new ApiError('INVALID_GRANT', `The ${what} is unknown, expired, revoked or another app's`);
}

export function alreadyUsed(what: 'authorization code' | 'refresh token'): ApiError {
  return new ApiError(
    'INVALID_GRANT',
    `The ${what} was used before, so all tokens of this consent are revoked; ask for consent again`,
  );
}
