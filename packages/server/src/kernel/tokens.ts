import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBytes } from './random.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const CHECKSUM_CHARACTERS = 6;

/** Prefixes of the kinds of secrets that the service issues. */
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

/** Creates a secret: prefix, 256 random bits in base 62, and a checksum by which secret scanners recognise it. */
export function newToken(prefix: TokenPrefix): string {
  return tokenOf(prefix, randomBytes(RANDOM_BYTES, `token ${prefix}`));
}

/** Returns the token that encodes these bytes. 32 of the bytes must be random, or indistinguishable from random. */
export function tokenOf(prefix: TokenPrefix, bytes: Buffer): string {
  const secret = prefix + encode(BigInt(`0x${bytes.toString('hex')}`), charactersOf(bytes.length));
  return secret + checksum(secret);
}

/**
 * Returns true if the text has the form of a token with this prefix, including the checksum. The token need not be
 * valid.
 * @param size bytes that the token encodes
 */
export function isWellFormedToken(prefix: TokenPrefix, text: string, size = RANDOM_BYTES): boolean {
  if (text.length !== prefix.length + charactersOf(size) + CHECKSUM_CHARACTERS || !text.startsWith(prefix))
    return false;
  const secret = text.slice(0, -CHECKSUM_CHARACTERS);
  return text.endsWith(checksum(secret));
}

/** Returns the bytes that a token encodes; undefined if the text is not a well-formed token of this size. */
export function bytesOfToken(prefix: TokenPrefix, text: string, size: number): Buffer | undefined {
  if (!isWellFormedToken(prefix, text, size)) return undefined;
  const hex = decode(text.slice(prefix.length, -CHECKSUM_CHARACTERS))
    .toString(16)
    .padStart(size * 2, '0');
  // The digits can represent slightly larger numbers than the bytes, and -1 for a character outside the alphabet.
  return /^[0-9a-f]+$/.test(hex) && hex.length === size * 2 ? Buffer.from(hex, 'hex') : undefined;
}

/** Returns the stored hash of a token or of a browser's secret: SHA-256, which suffices for 256 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Returns the number of base-62 digits for a number of bytes. */
function charactersOf(bytes: number): number {
  return Math.ceil((bytes * 8) / Math.log2(62));
}

function checksum(secret: string): string {
  return encode(BigInt(crc32(secret)), CHECKSUM_CHARACTERS);
}

/** Number of digits whose value is an exact number: arithmetic of bigints costs a hundred times as much. */
const GROUP = 8;
const GROUP_VALUE = 62n ** BigInt(GROUP);

function encode(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  while (text.length < length) {
    let group = Number(rest % GROUP_VALUE);
    rest /= GROUP_VALUE;
    for (let i = 0; i < GROUP; i++) {
      text = BASE62.charAt(group % 62) + text;
      group = Math.floor(group / 62);
    }
  }
  return text.slice(-length);
}

/** Returns the number that base-62 digits represent; -1 stands for a character outside the alphabet. */
function decode(digits: string): bigint {
  let value = 0n;
  // The first group has the digits that are left over, so that each other one is full.
  for (let start = 0, end = digits.length % GROUP || GROUP; start < digits.length; start = end, end += GROUP) {
    let group = 0;
    for (let i = start; i < end; i++) group = group * 62 + BASE62.indexOf(digits.charAt(i));
    value = value * GROUP_VALUE + BigInt(group);
  }
  return value;
}
