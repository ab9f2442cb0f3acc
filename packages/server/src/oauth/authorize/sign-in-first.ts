import type { Request, Response } from 'express';
import { adminSignInUrl } from '../../accounts/session.ts';
import { redirectTo } from '../../http/site.ts';
import { ApiError } from '../../kernel/api-error.ts';

/**
 * Redirects a browser to the sign-in page.
 * @throws {@link ApiError} UNAUTHORIZED for a program
 */
export function requestSignIn(req: Request, res: Response, returnTo: string): void {
  if (!isBrowser(req)) throw signInFirst();
  redirectTo(res, adminSignInUrl(returnTo));
}

export function signInFirst(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Sign in as a user of the tenant first');
}

/** Browsers name HTML in `Accept`; programs that accept any type get JSON. */
export function isBrowser(req: Request): boolean {
  return /\btext\/html\b/i.test(req.headers.accept ?? '');
}
