import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { LaunchClaims } from './claims.ts';

export const ISSUER = 'https://platform.example.com';
export const AUDIENCE = 'https://analytics.example.com';
/** The moment of all fixed clocks, in Unix seconds. */
export const T = 1_800_000_000;
export const now = (): number => T * 1000;

/** A key that launch tokens are signed by, and how it is published. */
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

/** The claims of a good token, with others in their place; undefined leaves one out. */
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

/** A part of a token: of an object its JSON, of a text its UTF-8, of bytes themselves. */
export function encode(part: object | string): string {
  if (part instanceof Uint8Array) return Buffer.from(part).toString('base64url');
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** Signs two parts as they stand, whatever they are. */
export function signParts(key: Pick<SigningKey, 'privateKey'>, first: string, second: string): string {
  const input = `${first}.${second}`;
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** A token as the platform signs it, but for what is passed. */
export function mint(
  key: SigningKey,
  { claims: said = claims(), header: head = header(key) }: { claims?: object | string; header?: object | string } = {},
): string {
  return signParts(key, encode(head), encode(said));
}
