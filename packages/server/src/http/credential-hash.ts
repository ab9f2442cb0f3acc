import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Returns the key by which a process remembers a credential. It is the same for every spelling of the header. */
export function credentialHash({ headers: { authorization = '' } }: Pick<IncomingMessage, 'headers'>): string {
  return hash('sha256', authorization.replace(/^Bearer +/i, ''), 'base64');
}
