import { createHash } from 'node:crypto';

/** What e-mail addresses are compared by: the SHA-256 of the address in lower case. */
export function emailHash(email: string): Buffer {
  return createHash('sha256').update(email.normalize('NFC').toLowerCase()).digest();
}
