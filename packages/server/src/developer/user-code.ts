import { createHash } from 'node:crypto';
import { randomInt } from '../kernel/random.ts';

/**
 * Letters of a user code: no vowels, which could form words, and no characters that look alike (RFC 8628, section 6.1).
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns a code for users to compare or type: `BCDF-GHJK`, 34 bits. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length, 'user code')));
  return written(letters.join(''));
}

/** Parses a typed code in any case and with any separators; null if it is not a code. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]+/g, '');
  const isCode = letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? written(letters) : null;
}

/** Returns the stored hash of a code. The code alone gives no access. */
export function hashUserCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

function written(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}
