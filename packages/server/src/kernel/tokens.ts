import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBytes } from './random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;

/** The kinds of secret text that the service hands out, by prefix. */
export type TokenPrefix =
  | 'plat_live_'
  | 'plat_test_'
  | 'plat_inv_'
  | 'plat_cs_'
  | 'plat_ac_'
  | 'plat_at_'
  | 'plat_rt_'
  | 'plat_sl_'
  | 'plat_dc_'
  | 'plat_dv_'
  | 'whsec_';

/** A new secret: prefix, 256 random bits in base 62, and a checksum by which secret scanners recognise it. */
export function newToken(prefix: TokenPrefix): string {
  return tokenOf(prefix, randomBytes(32, `token ${prefix}`));
}

/** The token that 32 bytes make, which have to be random or to look it. */
export function tokenOf(prefix: TokenPrefix, bytes: Buffer): string {
  const secret = prefix + encode(BigInt(`0x${bytes.toString('hex')}`), RANDOM_CHARACTERS);
  return secret + checksum(secret);
}

/** Whether a text has the form of a token with this prefix, checksum included. It says nothing about validity. */
export function isWellFormedToken(prefix: TokenPrefix, text: string): boolean {
  if (text.length !== prefix.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS || !text.startsWith(prefix)) return false;
  const secret = text.slice(0, -CHECKSUM_CHARACTERS);
  return text.endsWith(checksum(secret));
}

/** What is stored of a token: SHA-256, enough for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function checksum(secret: string): string {
  return encode(BigInt(crc32(secret)), CHECKSUM_CHARACTERS);
}

function encode(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
