import { hash } from 'node:crypto';
import type { Request } from 'express';

/** Returns the key by which a process remembers a credential. It is the same for every spelling of the header. */
export function credentialHash({ headers: { authorization = '' } }: Request): string {
  return hash('sha256', authorization.replace(/^Bearer +/i, ''), 'base64');
}
