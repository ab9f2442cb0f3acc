import { createHash } from 'node:crypto';
import { randomInt } from '../kernel/random.ts';

/** No vowels, so that no words come of it, and nothing that reads like something else (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** A code for a person to compare or to type: `BCDF-GHJK`, 34 bits. */
export function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length, 'user code')));
  return written(letters.join(''));
}

/** A code as it was shown, from what a person typed, whatever its case and what stands between; null when it is none. */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[\s-]+/g, '');
  const isCode = letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter));
  return isCode ? written(letters) : null;
}

/** What is stored of a code, which alone opens nothing. */
export function hashUserCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

function written(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}
