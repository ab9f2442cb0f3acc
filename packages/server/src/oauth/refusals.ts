import { type OAuthError, type OAuthErrorBody, oauthErrorOf } from '@plat/contract';
import type { RequestHandler } from 'express';
import { answerJson } from '../http/error-handler.ts';
import { refusal } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';

/** A refusal with an RFC 6749 error that its code does not determine. */
export class OAuthRefusal extends ApiError {
  readonly oauthError: OAuthError;

  constructor(oauthError: OAuthError, { code, message, errors = [] }: ApiError) {
    super(code, message, { errors });
    this.oauthError = oauthError;
  }
}

/** Returns the refusal of an invalid field of a form or query, with the codes of the specification and of RFC 6749. */
export function refuseField(path: string, message: string, oauthError: OAuthError = 'invalid_request'): OAuthRefusal {
  return new OAuthRefusal(oauthError, refusal('INVALID_REQUEST', [{ path, message }]));
}

/** Returns the fields of RFC 6749 for standard clients. */
export function oauthErrorFields(refused: ApiError): {
  readonly error: OAuthError;
  readonly error_description: string;
} {
  return {
    error: refused instanceof OAuthRefusal ? refused.oauthError : oauthErrorOf(refused.code),
    // Contains only the characters that RFC 6749 (section 5.2) allows.
    error_description: refused.message.replace(/["\\]|[^\x20-\x7e]/g, "'"),
  };
}

/** Forbids caching. Responses of these endpoints contain secrets or facts about them (RFC 6749, section 5.1). */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Pragma', 'no-cache');
  next();
};

/**
 * Writes the specification's error body with RFC 6749's `error` and `error_description`, so that standard clients work
 * unchanged.
 */
export const answerRefusal = answerJson(
  (refused): OAuthErrorBody => ({ ...refused.toBody(), ...oauthErrorFields(refused) }),
);

/** Refuses every method with 405. Mounted after the routes of the allowed methods. */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  const allow = methods.join(', ');
  return ({ method }) => {
    throw new ApiError('METHOD_NOT_ALLOWED', `This endpoint takes ${allow}, not ${method}`, {
      headers: { Allow: allow },
    });
  };
}
