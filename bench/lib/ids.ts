import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns an id in the form of the contract: ten characters of time, sixteen random ones. */
export function newId(prefix: string, ms: number = Date.now()): string {
  let chance = '';
  for (const byte of randomBytes(16)) chance += ALPHABET.charAt(byte & 31);
  return `${prefix}_${encode(ms, 10)}${chance}`;
}

/** Returns the n-th of ids that are one millisecond apart. */
export function nthId(prefix: string, start: number, n: number): string {
  return `${prefix}_${encode(start + n, 10)}${encode(n, 16)}`;
}

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
