import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { LaunchClaims } from './claims.ts';

export const ISSUER = 'https://platform.example.com';
export const AUDIENCE = 'https://analytics.example.com';
/** Time of all fixed clocks, in Unix seconds. */
export const T = 1_800_000_000;
export const now = (): number => T * 1000;

/** A key that signs launch tokens, and its published form. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function createSigningKey(kid: string, modulusLength = 2048): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  return { kid, privateKey, publicKey, jwk };
}

export const jwksOf = (...keys: readonly { readonly jwk: unknown }[]): string =>
  JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });

/** Returns the claims of a valid token with replacements; undefined omits a claim. */
export function claims(others: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const good: LaunchClaims = {
    iss: ISSUER,
    aud: AUDIENCE,
    iat: T - 10,
    exp: T + 890,
    tenant: 'tnt_01k9zq3v5h6x8m2n4p7r9t1w3y',
    client: 'cli_01k9zq3v5h6x8m2n4p7r9t1w3y',
    user: 'usr_01k9zq3v5h6x8m2n4p7r9t1w3y',
    role: 'member',
    entitlements: ['analytics.export', 'analytics.view'],
    groupId: 'grp_01k9zq3v5h6x8m2n4p7r9t1w3y',
    groupMemberships: [{ id: 'grp_01k9zq3v5h6x8m2n4p7r9t1w3y', name: 'Größe – 北 🚀', isOwner: false }],
  };
  return { ...good, ...others };
}

export const header = (
  { kid }: SigningKey,
  others: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({ alg: 'RS256', typ: 'JWT', kid, ...others });

/** Encodes a part of a token: an object as JSON, a text as UTF-8, bytes unchanged. */
export function encode(part: object | string): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('base64url');
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** Signs any two parts unchanged. */
export function signParts(key: Pick<SigningKey, 'privateKey'>, first: string, second: string): string {
  const input = `${first}.${second}`;
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** Signs a token like the platform, with the given changes. */
export function mint(
  key: SigningKey,
  { claims: said = claims(), header: head = header(key) }: { claims?: object | string; header?: object | string } = {},
): string {
  return signParts(key, encode(head), encode(said));
}
