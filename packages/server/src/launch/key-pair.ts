import type { CryptoKey } from 'jose';
import { isSeeded } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import { seededKeyPair } from './seeded-key-pair.ts';

/** Algorithm of all launch tokens (specification, Authentication 13). */
export const ALGORITHM = 'RS256';

/**
 * 112 bits of strength, which suffice for tokens that live an hour at most, under keys that are rotated. With 3072 bits
 * the receiver's check of each launch would cost about twice as much.
 */
const MODULUS_BITS = 2048;

/** A key as stored. */
export interface NewKeyPair {
  readonly kid: string;
  /** JSON with the public members only. */
  readonly public_jwk: string;
  /** Sealed. */
  readonly private_key: Buffer;
}

/** The private half of a key pair, in memory. */
export type PrivateKey = CryptoKey;

export async function newKeyPair(sealer: Sealer): Promise<NewKeyPair> {
  const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose');
  const { publicKey, privateKey } = isSeeded()
    ? seededKeyPair(MODULUS_BITS)
    : await generateKeyPair(ALGORITHM, { modulusLength: MODULUS_BITS, extractable: true });
  const { kty, n, e } = await exportJWK(publicKey);
  if (kty === undefined || n === undefined || e === undefined) throw new Error('an RSA key has kty, n and e');
  const kid = await calculateJwkThumbprint({ kty, n, e });
  // An operator command would read it as an option.
  if (kid.startsWith('-')) return newKeyPair(sealer);
  return {
    kid,
    public_jwk: JSON.stringify({ kty, n, e, kid, alg: ALGORITHM, use: 'sig' }),
    private_key: sealer.seal(await exportPKCS8(privateKey), signingKeyPurpose(kid)),
  };
}

/** @throws Error if the key was sealed with a master key that is not configured */
export async function openPrivateKey(sealer: Sealer, kid: string, sealed: Uint8Array): Promise<PrivateKey> {
  const { importPKCS8 } = await import('jose');
  return importPKCS8(sealer.open(Buffer.from(sealed), signingKeyPurpose(kid)), ALGORITHM);
}

export function signingKeyPurpose(kid: string): string {
  return `signing key ${kid}`;
}
