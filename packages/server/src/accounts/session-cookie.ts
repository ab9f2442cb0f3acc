import { createHmac } from 'node:crypto';
import type { SessionRow } from '../db/tables/sessions.ts';
import { randomBytes } from '../kernel/random.ts';

/** Kind of account: a user of a tenant, or a developer. A session of one kind is not valid for the other. */
export type SessionKind = SessionRow['kind'];

/** Returns a secret for a browser: 256 random bits. */
export function newSecret(): string {
  return randomBytes(32, 'session').toString('base64url');
}

/**
 * Returns the token in the forms of a page. It is derived from the secret in the browser's cookie, so it is not stored.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/**
 * Returns the cookie name with the prefix `__Host-`, which limits the cookie to this host, this path and TLS. Without
 * TLS, which is for development, not every browser accepts a Secure cookie.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}plat_${name}`;
}

export const cookieOptions = (isSecure: boolean) =>
  ({ httpOnly: true, secure: isSecure, sameSite: 'lax', path: '/' }) as const;

/** Returns a session id as its cookie stores it. It is signed, so that invented ids never reach the database. */
export function signedId(sessionId: string, key: Buffer): string {
  const signature = createHmac('sha256', key).update(sessionId).digest('base64').replace(/=+$/, '');
  return encodeURIComponent(`s:${sessionId}.${signature}`);
}
