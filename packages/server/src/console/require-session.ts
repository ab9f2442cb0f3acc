import type { RequestHandler } from 'express';
import { adminSessionOf, adminSignInUrl, developerSessionOf, developerSignInUrl } from '../accounts/session.ts';
import { prefersJson } from '../http/page.ts';
import { redirectTo } from '../http/site.ts';
import { ApiError } from '../kernel/api-error.ts';
import { PLACES } from './places.ts';

/** For pages of a tenant's users: whoever is not signed in is sent to do so, and comes back. */
export const requireAdmin: RequestHandler = (req, res, next) => {
  if (adminSessionOf(req)) return next();
  if (prefersJson(req)) throw notSignedIn();
  redirectTo(res, adminSignInUrl(req.method === 'GET' ? req.originalUrl : PLACES.admin.home));
};

/** For pages of developers: whoever is not signed in is sent to do so, and comes back. */
export const requireDeveloper: RequestHandler = (req, res, next) => {
  if (developerSessionOf(req)) return next();
  if (prefersJson(req)) throw notSignedIn();
  redirectTo(res, developerSignInUrl(req.method === 'GET' ? req.originalUrl : PLACES.developer.home));
};

function notSignedIn(): ApiError {
  return new ApiError('UNAUTHORIZED', 'Sign in first; this page is for people');
}
