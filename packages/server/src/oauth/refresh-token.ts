import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ID_DIGITS, ID_PREFIXES } from '@plat/contract';
import { randomBytes } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import { bytesOfToken, tokenOf } from '../kernel/tokens.ts';

/*
 * A refresh token encodes, as one number: grant id (16 bytes), generation (4), random part (32), MAC (16). The grant's
 * row holds the hash of the current token only. The random part makes the token unforgeable for a reader of the
 * database, with or without the master key. The MAC proves that this server issued an older token. Its reuse is
 * therefore detected for the whole life of the grant without a row for each token.
 */

const GRANT_BYTES = 16;
const GENERATION_BYTES = 4;
const RANDOM_BYTES = 32;
const MAC_BYTES = 16;
const SIGNED_BYTES = GRANT_BYTES + GENERATION_BYTES + RANDOM_BYTES;
const SIZE = SIGNED_BYTES + MAC_BYTES;

/** Returns the keys of the MACs, one for each master key, the current one first. */
export function macKeysOf(sealer: Sealer): readonly KeyObject[] {
  // Node 24 needs five times as long for an HMAC whose key is a Buffer.
  return sealer.keysFor('refresh tokens').map((key) => createSecretKey(key));
}

export interface RefreshToken {
  readonly grantId: string;
  readonly generation: number;
}

/** Returns the unpredictable part of a refresh token. */
export function newRefreshSecret(): Buffer {
  return randomBytes(RANDOM_BYTES, 'token plat_rt_');
}

/** @param secret 32 unpredictable bytes */
export function makeRefreshToken({ grantId, generation }: RefreshToken, secret: Buffer, key: KeyObject): string {
  const counter = Buffer.alloc(GENERATION_BYTES);
  counter.writeUInt32BE(generation);
  const signed = Buffer.concat([bytesOfId(grantId), counter, secret]);
  return tokenOf('plat_rt_', Buffer.concat([signed, macOf(signed, key)]));
}

/**
 * Reads the grant and generation that a token contains; undefined if it is malformed. They are unproven until {@link
 * isIssued} or the stored hash confirms them.
 */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const bytes = bytesOfToken('plat_rt_', text, SIZE);
  if (!bytes) return undefined;
  return { grantId: idOfBytes(bytes.subarray(0, GRANT_BYTES)), generation: bytes.readUInt32BE(GRANT_BYTES) };
}

/** Returns true if a server with one of these keys issued the token. */
export function isIssued(text: string, keys: readonly KeyObject[]): boolean {
  const bytes = bytesOfToken('plat_rt_', text, SIZE);
  if (!bytes) return false;
  const [signed, mac] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
  return keys.some((key) => timingSafeEqual(macOf(signed, key), mac));
}

function macOf(signed: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, MAC_BYTES);
}

/** The opaque part of an id is 128 bits in 26 base-32 digits; the first digit is 0 to 7. */
function bytesOfId(grantId: string): Buffer {
  let value = 0n;
  for (const digit of grantId.slice(PREFIX.length)) value = value * 32n + BigInt(ID_DIGITS.indexOf(digit));
  return Buffer.from(value.toString(16).padStart(GRANT_BYTES * 2, '0'), 'hex');
}

function idOfBytes(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let i = 0; i < ID_CHARACTERS; i++) {
    digits = ID_DIGITS.charAt(Number(rest % 32n)) + digits;
    rest /= 32n;
  }
  return PREFIX + digits;
}

const PREFIX = `${ID_PREFIXES.grant}_`;
const ID_CHARACTERS = 26;
