import type { RequestHandler } from 'express';
import type { Authenticator } from '../auth/authenticator.ts';
import { challenge } from '../auth/challenge.ts';
import type { Caller } from '../auth/credential.ts';
import { ApiError } from '../kernel/api-error.ts';

declare global {
  namespace Express {
    // Passport's name for who calls.
    interface User extends Caller {}
  }
}

/**
 * The first step of every request with a bearer token, in the specification's order: 401 for a credential that is
 * missing, malformed or unknown, then 403 for a vendor key.
 */
export function authenticateBearer(authenticator: Authenticator): RequestHandler[] {
  return [headerOnly, authenticator.authenticate('bearer', { session: false, failWithError: true })];
}

/** The 401 of /v1 with its challenge (RFC 6750, section 3). */
export function invalidToken(message: string): ApiError {
  return new ApiError('INVALID_TOKEN', message, {
    headers: challenge('invalid_token', { error_description: message }),
  });
}

/** The 401 of a request that carries no bearer credential: there is none to find fault with (RFC 6750, section 3.1). */
function noToken(message: string): ApiError {
  return new ApiError('INVALID_TOKEN', message, { headers: challenge(null) });
}

/** The strategy would also take a token from the query or a form, where it ends up in logs and histories. */
const headerOnly: RequestHandler = (req, _res, next) => {
  if (req.query['access_token'] !== undefined) {
    throw invalidToken('Send the credential in the Authorization header, not in the query');
  }
  const given = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length;
  if (given === 0) throw noToken('Send the header Authorization: Bearer <API key or access token>');
  const { authorization = '' } = req.headers;
  const words = 'The Authorization header must be: Bearer <API key or access token>';
  if (given === 1 && !/^Bearer(?: |$)/i.test(authorization)) throw noToken(words);
  if (given > 1 || !/^Bearer +[A-Za-z0-9._~+/-]+=*$/i.test(authorization)) {
    throw invalidToken(words);
  }
  next();
};
