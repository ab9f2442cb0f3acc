import { type LaunchTokenClaims as LaunchClaims, type LaunchTokenGroup, LIMITS } from '@plat/contract';
import { LaunchTokenError } from './errors.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from './json.ts';

// Not an alias: a compiler that writes declarations then names the type by this package, where a program does not see the contract.
export type { LaunchTokenClaims as LaunchClaims } from '@plat/contract';

/** Expected issuer and audience, and the clock with which the times of a token are compared. */
export interface Policy {
  readonly issuer: string;
  readonly audience: string;
  /** Tolerated clock difference, in seconds. */
  readonly leeway: number;
  /** Returns the current time in ms. */
  readonly now: () => number;
}

/**
 * Reads the claims of a payload whose signature was verified.
 * @throws {LaunchTokenError} `PAYLOAD_INVALID`, `CLAIM_INVALID`, `ISSUER_MISMATCH`, `AUDIENCE_MISMATCH`,
 *   `LIFETIME_INVALID`, `TOKEN_NOT_YET_VALID`, `TOKEN_EXPIRED`; `OPTION_INVALID` if the clock returns no number
 */
export function readClaims(payload: Uint8Array, { issuer, audience, leeway, now }: Policy): LaunchClaims {
  const said = parseJsonObject(payload, (why) => new LaunchTokenError('PAYLOAD_INVALID', why));
  const claims = typedClaims(said);
  if (claims.iss !== issuer) {
    throw new LaunchTokenError('ISSUER_MISMATCH', `This receiver trusts ${issuer}; issuers are compared exactly.`);
  }
  if (claims.aud !== audience) {
    throw new LaunchTokenError(
      'AUDIENCE_MISMATCH',
      `The audience of this receiver is ${audience}; it must be exactly the registered audience of the module.`,
    );
  }
  checkTimes(claims, notBeforeOf(said), Math.floor(now() / 1000), leeway);
  return claims;
}

/** Checks each claim of the specification's table by its type. Returns a new object with only these claims. */
function typedClaims(said: JsonObject): LaunchClaims {
  const { groupId, groupMemberships, jti } = said;
  return {
    iss: text(said, 'iss'),
    aud: text(said, 'aud'),
    iat: seconds(said, 'iat'),
    exp: seconds(said, 'exp'),
    ...(jti === undefined ? {} : { jti: text(said, 'jti') }),
    tenant: text(said, 'tenant'),
    client: text(said, 'client'),
    user: text(said, 'user'),
    role: text(said, 'role'),
    entitlements: list(said, 'entitlements', isText),
    ...(groupId === undefined ? {} : { groupId: text(said, 'groupId') }),
    ...(groupMemberships === undefined
      ? {}
      : {
          groupMemberships: list(said, 'groupMemberships', isGroup).map(({ id, name, isOwner }) => ({
            id,
            name,
            isOwner,
          })),
        }),
  };
}

function text(
  said: JsonObject,
  name: 'iss' | 'aud' | 'tenant' | 'client' | 'user' | 'role' | 'groupId' | 'jti',
): string {
  const value = said[name];
  if (isText(value)) return value;
  throw new LaunchTokenError('CLAIM_INVALID', `${name} must be a string, and not empty.`);
}

/** Reads Unix seconds. Fractions, and numbers that a double cannot represent exactly, are refused. */
function seconds(said: JsonObject, name: 'iat' | 'exp' | 'nbf'): number {
  const value = said[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new LaunchTokenError('CLAIM_INVALID', `${name} must be a whole number of Unix seconds.`);
}

function list<T>(
  said: JsonObject,
  name: 'entitlements' | 'groupMemberships',
  isItem: (item: unknown) => item is T,
): readonly T[] {
  const value = said[name];
  if (Array.isArray(value) && value.every(isItem)) return value;
  throw new LaunchTokenError('CLAIM_INVALID', `${name} must be an array, of ${ITEMS[name]}.`);
}

const ITEMS = { entitlements: 'capability ids', groupMemberships: '{id, name, isOwner}' } as const;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isGroup(value: unknown): value is LaunchTokenGroup {
  return (
    isJsonObject(value) &&
    isText(value['id']) &&
    typeof value['name'] === 'string' &&
    typeof value['isOwner'] === 'boolean'
  );
}

/** The platform does not send `nbf`, but a verifier that processes it must respect it (RFC 7519, section 4.1.5). */
function notBeforeOf(said: JsonObject): number {
  return said['nbf'] === undefined ? 0 : seconds(said, 'nbf');
}

function checkTimes({ iat, exp }: LaunchClaims, nbf: number, now: number, leeway: number): void {
  if (exp <= iat || exp - iat > LIMITS.launchTokenSeconds.max) throw new LaunchTokenError('LIFETIME_INVALID');
  const early = Math.max(iat, nbf) - now;
  if (early > leeway) {
    throw new LaunchTokenError(
      'TOKEN_NOT_YET_VALID',
      `It is valid in ${early} s: this clock runs behind, or that of the platform runs ahead.`,
    );
  }
  const late = now - exp;
  if (late >= leeway) {
    throw new LaunchTokenError('TOKEN_EXPIRED', `It expired ${late} s ago: it arrived late, or this clock runs ahead.`);
  }
}
