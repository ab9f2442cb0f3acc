import { timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Request, RequestHandler } from 'express';
import { formOf, readForm } from '../http/form.ts';
import { ApiError } from '../kernel/api-error.ts';

/** A user of a tenant who is signed in. Read anew for each request: it ends with the user's activity, or the tenant's. */
export interface AdminSession {
  readonly kind: 'admin';
  readonly userId: string;
  readonly tenantId: string;
  readonly email: string;
  /** Name of a role. */
  readonly role: string;
  /** What every form that this session posts carries in the field {@link CSRF_FIELD}. */
  readonly csrfToken: string;
}

/** A developer who is signed in to the console. */
export interface DeveloperSession {
  readonly kind: 'developer';
  readonly developerId: string;
  /** The developer's sandbox. */
  readonly tenantId: string;
  readonly email: string;
  /** What every form that this session posts carries in the field {@link CSRF_FIELD}. */
  readonly csrfToken: string;
}

declare global {
  namespace Express {
    interface Request {
      /** Passport puts it here: `user` is whoever calls /v1. */
      account?: AdminSession | DeveloperSession | undefined;
    }
    interface Locals {
      /** What a form posted by this browser has to carry. */
      csrfToken?: string;
    }
  }
}

/** The hidden field of every form that changes something. */
export const CSRF_FIELD = '_csrf';

/** The tenant's user who is signed in, on paths that carry sessions of users; else null. */
export function adminSessionOf(req: Request): AdminSession | null {
  return req.account?.kind === 'admin' ? req.account : null;
}

/** The developer who is signed in, on paths that carry sessions of developers; else null. */
export function developerSessionOf(req: Request): DeveloperSession | null {
  return req.account?.kind === 'developer' ? req.account : null;
}

/** The path where users of tenants sign in, to go on at an own path afterwards. For `redirectTo`. */
export function adminSignInUrl(returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
}

/** The path where developers sign in, to go on at an own path afterwards. For `redirectTo`. */
export function developerSignInUrl(returnTo: string): string {
  return `/console/sign-in?${new URLSearchParams({ return_to: returnTo })}`;
}

/**
 * Reads a posted form and refuses one that no page of this server sent: by what the browser says of its origin, and by
 * the token that only a page of this session holds. The fields are then read with {@link postedFields}.
 * @throws {@link ApiError} FORBIDDEN, INVALID_REQUEST
 */
export const requireCsrf: RequestHandler = async (req, res, next) => {
  if (!isFromHere(req, res.locals.site.origin)) throw forged();
  await promisify(readForm)(req, res);
  const { csrfToken } = res.locals;
  if (csrfToken === undefined || !isSame(formOf(req)[CSRF_FIELD] ?? '', csrfToken)) throw forged();
  next();
};

/** The fields of a form that {@link requireCsrf} let pass, without the token. */
export function postedFields(req: Request): Readonly<Record<string, string>> {
  const { [CSRF_FIELD]: _token, ...fields } = formOf(req);
  return fields;
}

/**
 * Browsers say where a request comes from, and pages cannot make them say otherwise. Where it is spoken in the clear
 * across a network, only the older header of the two is sent.
 */
function isFromHere({ headers }: Request, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function forged(): ApiError {
  return new ApiError('FORBIDDEN', 'The form was not sent by a page of this session; open the page again');
}
