import type { RequestHandler } from 'express';
import type { Authenticator } from '../auth/authenticator.ts';
import { challenge } from '../auth/challenge.ts';
import type { Caller } from '../auth/credential.ts';
import { ApiError } from '../kernel/api-error.ts';
import { timesGiven } from './times-given.ts';

declare global {
  namespace Express {
    // Passport's name for the caller.
    interface User extends Caller {}
  }
}

/**
 * Authenticates a request by its bearer token, as the first step in the specification's order: 401 for a missing,
 * malformed or unknown credential, then 403 for a vendor key.
 * @param credential the only credential that the surface accepts, for messages; absent for /v1
 */
export function authenticateBearer(authenticator: Authenticator, credential?: string): RequestHandler[] {
  const verify: RequestHandler = authenticator.authenticate('bearer', { session: false, failWithError: true });
  if (credential === undefined) return [headerOnly('API key or access token'), repeatable(verify)];
  const refused = (error: unknown) =>
    error instanceof Error && error.name === 'AuthenticationError'
      ? invalidToken(`The credential is not a valid ${credential}`)
      : error;
  const verifyOnly: RequestHandler = (req, res, next) => verify(req, res, (error?: unknown) => next(refused(error)));
  return [headerOnly(credential), repeatable(verifyOnly)];
}

/** Notes the step, so that it can run again when the body arrives late. */
function repeatable(authenticate: RequestHandler): RequestHandler {
  return (req, res, next) => {
    res.locals.authenticateAgain = authenticate;
    return authenticate(req, res, next);
  };
}

/** Returns the 401 of /v1 with its challenge (RFC 6750, section 3). */
export function invalidToken(message: string): ApiError {
  return new ApiError('INVALID_TOKEN', message, {
    headers: challenge('invalid_token', { error_description: message }),
  });
}

/** Returns the 401 for a request without a bearer credential. Its challenge names no error (RFC 6750, section 3.1). */
function noToken(message: string): ApiError {
  return new ApiError('INVALID_TOKEN', message, { headers: challenge(null) });
}

/**
 * Accepts a credential in one Authorization header only. The strategy would also accept a token in the query or a form,
 * from where it ends up in logs and histories.
 */
const headerOnly =
  (credential: string): RequestHandler =>
  (req, _res, next) => {
    if (req.query['access_token'] !== undefined) {
      throw invalidToken('Send the credential in the Authorization header, not in the query');
    }
    const given = timesGiven('authorization', req);
    if (given === 0) throw noToken(`Send the header Authorization: Bearer <${credential}>`);
    const { authorization = '' } = req.headers;
    const words = `The Authorization header must be: Bearer <${credential}>`;
    if (given === 1 && !/^Bearer(?: |$)/i.test(authorization)) throw noToken(words);
    const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
    if (given > 1 || token === undefined) throw invalidToken(words);
    // The strategy takes one space; the header may have more (RFC 9110, section 11.4).
    req.headers.authorization = `Bearer ${token}`;
    next();
  };
