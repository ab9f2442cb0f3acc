import { type ErrorBody, LIMITS } from '@plat/contract';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { classOf, type ErrorClass } from '../db/errors.ts';
import { UnknownOutcomeError } from '../db/short-transactions.ts';
import { ApiError } from '../kernel/api-error.ts';
import { invalidToken } from './bearer.ts';
import { sendJson } from './respond.ts';
import { refusal } from './validate.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Address of the metadata of the requested resource, if it accepts bearer tokens. */
      resourceMetadata?: string;
    }
  }
}

/** Writes the error body of the specification. */
export const errorHandler = answerJson((refused) => refused.toBody());

/** Creates a handler that answers each error as JSON. */
export function answerJson(bodyOf: (refused: ApiError) => ErrorBody): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const refused = refusalFor(error, res);
    if (res.headersSent) return next(error);
    setHeaders(res, refused);
    const body = bodyOf(refused);
    res.locals.refusal = body;
    sendJson(res, refused.status, JSON.stringify(body));
  };
}

/** Converts the error of a request to its refusal, and keeps a failure for the log. */
export function refusalFor(error: unknown, res: Response): ApiError {
  const refused = toApiError(error);
  // A deliberate refusal, of an overloaded server for example, has no stack worth logging.
  if (refused.status >= 500 && refused !== error) res.locals.failure = error;
  return refused;
}

/**
 * Sets the headers of a refusal. A challenge of the API names the resource metadata, which names the authorization
 * server (RFC 9728, section 5.1).
 */
export function setHeaders(res: Response, { headers }: ApiError): void {
  const { resourceMetadata } = res.locals;
  for (const [name, value] of Object.entries(headers)) {
    const isChallenge = name === 'WWW-Authenticate' && resourceMetadata !== undefined;
    res.setHeader(name, isChallenge ? `${value}, resource_metadata="${resourceMetadata}"` : value);
  }
}

export const unknownRoute: RequestHandler = (req) => {
  const [path = ''] = req.originalUrl.split('?', 1);
  // A longer path is not repeated: the response must not grow with its request.
  const place = path.length > LIMITS.fieldErrors.path ? 'at this path' : path;
  throw new ApiError('NOT_FOUND', `There is no ${req.method} ${place}`);
};

/** Converts any error to the refusal that answers it. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const databaseError = classOf(error);
  if (databaseError) return unavailable(databaseError, error);
  const { name, type, status, limit } = httpErrorOf(error);
  if (name === 'AuthenticationError') return invalidToken('The credential is not valid');
  if (type === 'entity.too.large') {
    return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit ?? LIMITS.bodyBytes} bytes`);
  }
  // Refusals of body-parser or the router: an encoding, a cut body, a path that cannot be decoded.
  if (type !== undefined) return refusal('INVALID_BODY', [{ path: '', message: 'could not be read' }]);
  if (status !== undefined && status >= 400 && status < 500) {
    return refusal('INVALID_REQUEST', [{ path: '', message: 'the path cannot be decoded' }]);
  }
  return new ApiError('INTERNAL_ERROR', 'Something went wrong here; try again once, then report the request id', {
    cause: error,
  });
}

/** Message and seconds until the next attempt, for errors that concern the state of the database. */
const UNAVAILABLE: Readonly<Record<ErrorClass, readonly [message: string, retryAfter: number]>> = {
  // Nothing was committed in any of the repeated runs.
  conflict: ['Too many concurrent changes; try again', 1],
  read_only: ['The database does not accept changes now; try again', 1],
  full: ['The database has no space left; try again later', 10],
  unreachable: ['The database cannot be reached; try again', 1],
  timeout: ['The database took too long; try again', 1],
};

const MAYBE_COMMITTED =
  'The connection to the database was lost during the commit, so the change may or may not have been made. Repeat the request with its Idempotency-Key, or read the object first';

function unavailable(databaseError: ErrorClass, cause: unknown): ApiError {
  const [message, retryAfter] = UNAVAILABLE[databaseError];
  return new ApiError('SERVICE_UNAVAILABLE', cause instanceof UnknownOutcomeError ? MAYBE_COMMITTED : message, {
    cause,
    headers: { 'Retry-After': String(retryAfter) },
  });
}

/** Returns the fields by which body-parser, the router and Passport describe an error. */
function httpErrorOf(error: unknown) {
  if (!(error instanceof Error)) return {};
  return {
    name: error.name,
    type: 'type' in error && typeof error.type === 'string' ? error.type : undefined,
    status: 'status' in error && typeof error.status === 'number' ? error.status : undefined,
    limit: 'limit' in error && typeof error.limit === 'number' ? error.limit : undefined,
  };
}
