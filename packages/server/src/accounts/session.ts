import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { formOf } from '../http/form.ts';
import { ApiError } from '../kernel/api-error.ts';
import { LONGEST_PATH } from './return-path.ts';

/**
 * A signed-in user of a tenant. Read for each request: the session ends when the user or the tenant is no longer
 * active.
 */
export interface AdminSession {
  readonly kind: 'admin';
  readonly userId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  /** True if the tenant is the sandbox of a developer. */
  readonly sandbox: boolean;
  readonly email: string;
  /** Name of a role. */
  readonly role: string;
  /** Public id, which audit events name; null for a session from before there were such ids. */
  readonly sessionId: string | null;
  /** Token that every form of this session sends in the field {@link CSRF_FIELD}. */
  readonly csrfToken: string;
}

/** A developer who is signed in to the console. */
export interface DeveloperSession {
  readonly kind: 'developer';
  readonly developerId: string;
  /** The developer's sandbox. */
  readonly tenantId: string;
  readonly tenantName: string;
  readonly sandbox: true;
  readonly email: string;
  /** Public id, which audit events name; null for a session from before there were such ids. */
  readonly sessionId: string | null;
  /** Token that every form of this session sends in the field {@link CSRF_FIELD}. */
  readonly csrfToken: string;
}

declare global {
  namespace Express {
    interface Request {
      /** The signed-in account. Set by Passport, whose `user` is the caller of /v1. */
      account?: AdminSession | DeveloperSession | undefined;
    }
    interface Locals {
      /** Token that every form of this browser must send. */
      csrfToken?: string;
    }
  }
}

/** Hidden field of every form that changes data. */
export const CSRF_FIELD = '_csrf';

/** Returns the signed-in user of a tenant on paths with user sessions; else null. */
export function adminSessionOf(req: Request): AdminSession | null {
  return req.account?.kind === 'admin' ? req.account : null;
}

/** Returns the signed-in developer on paths with developer sessions; else null. */
export function developerSessionOf(req: Request): DeveloperSession | null {
  return req.account?.kind === 'developer' ? req.account : null;
}

/** Returns the id of the signed-in account. */
export function accountIdOf(session: AdminSession | DeveloperSession): string {
  return session.kind === 'admin' ? session.userId : session.developerId;
}

/** Returns the path of the users' sign-in page, which returns to a path of this server. For `redirectTo`. */
export function adminSignInUrl(returnTo: string): string {
  return signInUrl('/sign-in', returnTo);
}

/** Returns the path of the developers' sign-in page, which returns to a path of this server. For `redirectTo`. */
export function developerSignInUrl(returnTo: string): string {
  return signInUrl('/console/sign-in', returnTo);
}

/** Leaves out a very long path to return to: clients and proxies refuse a response with such a header. */
function signInUrl(path: string, returnTo: string): string {
  const url = `${path}?${new URLSearchParams({ return_to: returnTo })}`;
  return url.length > LONGEST_PATH ? path : url;
}

/**
 * Refuses a posted form that no page of this server sent. It checks the origin that the browser sends, and the token
 * that only a page of this session contains. {@link postedFields} then returns the fields.
 * @throws {@link ApiError} FORBIDDEN, INVALID_REQUEST
 */
export const requireCsrf: RequestHandler = (req, res, next) => {
  if (!isOwnForm(req)) throw forged();
  const { csrfToken } = res.locals;
  if (csrfToken === undefined || !isSame(formOf(req)[CSRF_FIELD] ?? '', csrfToken)) throw forged();
  next();
};

/**
 * Returns true if the browser states that a page of this server sent the form. Pages cannot forge these headers. Over
 * plain HTTP across a network, browsers send only the older of the two.
 */
export function isOwnForm({ headers, res }: Request): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && origin === res?.locals.site.origin;
}

/** Returns the fields of a form that {@link requireCsrf} accepted, without the token. */
export function postedFields(req: Request): Readonly<Record<string, string>> {
  const { [CSRF_FIELD]: _token, ...fields } = formOf(req);
  return fields;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function forged(): ApiError {
  return new ApiError('FORBIDDEN', 'The form was not sent by a page of this session; open the page again');
}
