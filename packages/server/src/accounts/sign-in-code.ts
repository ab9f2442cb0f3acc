import { createHmac } from 'node:crypto';
import { randomInt } from '../kernel/random.ts';

/** Crockford's alphabet: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 8;

/**
 * Returns a code for users to type: 40 random bits. It has a digit, by which redaction in logs distinguishes it from a
 * word.
 */
export function newCode(): string {
  for (;;) {
    const code = Array.from({ length: CHARACTERS }, () =>
      ALPHABET.charAt(randomInt(ALPHABET.length, 'sign-in code')),
    ).join('');
    if (/\d/.test(code)) return code;
  }
}

/** Formats a code for a mail: `7K3D-9QXM`. */
export function displayCode(code: string): string {
  return `${code.slice(0, CHARACTERS / 2)}-${code.slice(CHARACTERS / 2)}`;
}

/** Returns the stored hash of a code. The browser's secret is the key, since 40 bits alone could be guessed. */
export function hashCode(code: string, browser: string): Buffer {
  return createHmac('sha256', browser)
    .update(`code ${normalCode(code)}`)
    .digest();
}

/** Normalizes a typed code: lower case, spaces, a letter that looks like the digit. */
function normalCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]+/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}
