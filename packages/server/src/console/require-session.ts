import type { RequestHandler } from 'express';
import { adminSessionOf, adminSignInUrl, developerSessionOf, developerSignInUrl } from '../accounts/session.ts';
import { prefersJson } from '../http/page.ts';
import { redirectTo } from '../http/site.ts';
import { ApiError } from '../kernel/api-error.ts';
import { PLACES } from './places.ts';

/** Redirects a browser without a user session to the sign-in page, which returns to this page. */
export const requireAdmin: RequestHandler = (req, res, next) => {
  if (adminSessionOf(req)) return next();
  if (prefersJson(req)) throw notSignedIn();
  redirectTo(res, adminSignInUrl(req.method === 'GET' ? req.originalUrl : PLACES.admin.home));
};

/** Redirects a browser without a developer session to the sign-in page, which returns to this page. */
export const requireDeveloper: RequestHandler = (req, res, next) => {
  if (developerSessionOf(req)) return next();
  if (prefersJson(req)) throw notSignedIn();
  redirectTo(res, developerSignInUrl(req.method === 'GET' ? req.originalUrl : PLACES.developer.home));
};

function notSignedIn(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Sign in first; this page needs a session in a browser');
}
