import type { Request } from 'express';
import { Passport } from 'passport';
import { Strategy as BearerStrategy, type IVerifyOptions } from 'passport-http-bearer';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { isWellFormedToken, type TokenPrefix } from '../kernel/tokens.ts';
import { type AccessToken, findAccessToken } from './access-tokens.ts';
import { findApiKey } from './api-keys.ts';
import { challenge, REALM } from './challenge.ts';
import type { Caller, Credential } from './credential.ts';
import type { KeyUses } from './key-uses.ts';
import { type LookUpServices, UNKNOWN } from './shares.ts';

export type Authenticator = InstanceType<typeof Passport>;

type Done = (error: unknown, caller?: Caller | false, info?: IVerifyOptions) => void;

interface AuthenticatorServices extends LookUpServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Called before the first request with a token of a grant is served. */
  readonly beginGrant: (db: Database, token: AccessToken, now: number) => Promise<void>;
}

/**
 * Creates Passport with the bearer strategy for /v1. It returns a valid credential, a refusal, or 403 for a vendor key.
 */
export function createAuthenticator(services: AuthenticatorServices): Authenticator {
  const { db, clock, keyUses } = services;
  const find = async (token: string): Promise<Credential | null> => {
    if (token.startsWith('plat_at_')) return findOAuthCredential(services, token);
    const now = clock();
    const found = await findApiKey(db, token, now);
    if (found) keyUses.note(found.id, now);
    if (found?.type === 'vendor_key') throw vendorKeyRefused();
    return found;
  };
  return bearerAuthenticator(services, [...API_KEY_PREFIXES, 'plat_at_'], find);
}

export const API_KEY_PREFIXES = ['plat_live_', 'plat_test_'] as const;

/**
 * Creates Passport with the bearer strategy.
 * @param prefixes those of the credentials of the surface
 * @param find returns the caller of a token, or a refusal
 */
export function bearerAuthenticator(
  { admission, shares }: LookUpServices,
  prefixes: readonly TokenPrefix[],
  find: (token: string) => Promise<Caller | null>,
): Authenticator {
  const lookUp = async (token: string, { socket }: Request): Promise<Caller | null> => {
    // A text that cannot be a credential needs no look-up, so it waits for none.
    if (!prefixes.some((prefix) => isWellFormedToken(prefix, token))) return null;
    const isWanted = () => !socket.destroyed;
    const found = await admission.run(shares.of(token, UNKNOWN.tokens), () => find(token), { isWanted });
    if (found) shares.add(token, found.tenantId);
    else shares.remove(token);
    return found;
  };
  const passport = new Passport();
  passport.use(
    new BearerStrategy({ realm: REALM, passReqToCallback: true }, (req: Request, token: string, done: Done) => {
      lookUp(token, req).then((caller) => done(null, caller ?? false), done);
    }),
  );
  return passport;
}

async function findOAuthCredential(
  { db, clock, beginGrant }: AuthenticatorServices,
  token: string,
): Promise<Credential | null> {
  const now = clock();
  const found = await findAccessToken(db, token, now);
  if (!found) return null;
  if (!found.hasBegun && found.tenantStatus === 'active') await beginGrant(db, found, now);
  const { grantId, appId, tenantId, tenantStatus, sandbox, capturesBodies, scopes, userId } = found;
  const actor = { type: 'oauth_app', id: appId } as const;
  return { type: 'oauth_token', id: grantId, actor, tenantId, tenantStatus, sandbox, capturesBodies, scopes, userId };
}

function vendorKeyRefused(): ApiError {
  return new ApiError(
    'VENDOR_KEY_NOT_ALLOWED_ON_V1',
    'This vendor key belongs to no tenant; use an API key of a tenant',
    {
      headers: challenge('insufficient_scope'),
    },
  );
}
