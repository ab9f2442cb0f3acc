import { createHmac } from 'node:crypto';
import { randomInt } from '../kernel/random.ts';

/** Crockford's: no letters that are taken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = 8;

/** A code that people type: 40 random bits, with a digit, by which logs know that it is no word. */
export function newCode(): string {
  for (;;) {
    const code = Array.from({ length: CHARACTERS }, () =>
      ALPHABET.charAt(randomInt(ALPHABET.length, 'sign-in code')),
    ).join('');
    if (/\d/.test(code)) return code;
  }
}

/** As a mail shows it: `7K3D-9QXM`. */
export function displayCode(code: string): string {
  return `${code.slice(0, CHARACTERS / 2)}-${code.slice(CHARACTERS / 2)}`;
}

/** What is stored of a code: keyed by the browser's secret, since 40 bits alone could be tried out. */
export function hashCode(code: string, browser: string): Buffer {
  return createHmac('sha256', browser)
    .update(`code ${normalCode(code)}`)
    .digest();
}

/** Whatever people make of it: lower case, spaces, a letter that looks like the digit. */
function normalCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]+/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
}
