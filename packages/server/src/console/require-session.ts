import type { Request, RequestHandler } from 'express';
import { adminSessionOf, adminSignInUrl, developerSessionOf, developerSignInUrl } from '../accounts/session.ts';
import { formPathOf } from '../http/error-page.ts';
import { prefersJson } from '../http/page.ts';
import { redirectTo } from '../http/site.ts';
import { ApiError } from '../kernel/api-error.ts';
import { enteredIn } from './entered.ts';
import { PLACES } from './places.ts';

/** Redirects a browser without a user session to the sign-in page, which returns to this page. */
export const requireAdmin = requireSession(adminSessionOf, adminSignInUrl, PLACES.admin.home);

/** Redirects a browser without a developer session to the sign-in page, which returns to this page. */
export const requireDeveloper = requireSession(developerSessionOf, developerSignInUrl, PLACES.developer.home);

/** A form in which a person entered something is refused instead: a redirect would lose it. */
function requireSession(
  sessionOf: (req: Request) => object | null,
  signInUrl: (returnTo: string) => string,
  home: string,
): RequestHandler {
  return (req, res, next) => {
    if (sessionOf(req)) return next();
    if (prefersJson(req)) throw notSignedIn('Sign in first; this page needs a session in a browser');
    if (enteredIn(req).size > 0)
      throw notSignedIn('Your session has ended, so nothing was saved; sign in, then send the form again');
    redirectTo(res, signInUrl(req.method === 'GET' ? req.originalUrl : pageOf(req, res.locals.site.base, home)));
  };
}

/** Returns the path of the page that contained a button, without the prefix. */
function pageOf(req: Request, base: string, home: string): string {
  const path = formPathOf(req);
  return path?.startsWith(`${base}/`) ? path.slice(base.length) : home;
}

function notSignedIn(message: string): ApiError {
  return new ApiError('UNAUTHORIZED', message);
}
