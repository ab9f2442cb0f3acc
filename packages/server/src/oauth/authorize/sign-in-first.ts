import type { Request, Response } from 'express';
import { adminSignInUrl } from '../../accounts/session.ts';
import { isBrowser } from '../../http/page.ts';
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
