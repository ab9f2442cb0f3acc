import { createHash, createHmac } from 'node:crypto';
import type { SessionRow } from '../db/tables/sessions.ts';
import { randomBytes } from '../kernel/random.ts';

/** Who signs in: a user of a tenant, or a developer. Nothing of the one kind is of any use to the other. */
export type SessionKind = SessionRow['kind'];

/** What a browser holds: 256 random bits. */
export function newSecret(): string {
  return randomBytes(32, 'session').toString('base64url');
}

/** What is stored of a browser's secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** What the forms of a page carry: it follows from the secret in the browser's cookie, so nothing is stored of it. */
export function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url');
}

/**
 * `__Host-` makes browsers keep the cookie to this host, this path and TLS. Without TLS, which is for development, not
 * every browser takes a Secure cookie.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}plat_${name}`;
}

export const cookieOptions = (isSecure: boolean) =>
  ({ httpOnly: true, secure: isSecure, sameSite: 'lax', path: '/' }) as const;

/** A session's id as its cookie has it: signed, so that made-up ones never reach the database. */
export function signedId(sessionId: string, key: Buffer): string {
  const signature = createHmac('sha256', key).update(sessionId).digest('base64').replace(/=+$/, '');
  return encodeURIComponent(`s:${sessionId}.${signature}`);
}
