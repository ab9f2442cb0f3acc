import { HEADERS } from '@plat/contract';
import type { RequestHandler } from 'express';
import type { Counter, RateState } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Responds 429 to a network that has sent too many requests. Mounted before the body is read. */
export function limitAddress(counter: Counter): RequestHandler {
  return async (req, _res, next) => {
    const { retryAfter, ...rate } = await counter.consume(networkOf(req.ip ?? ''));
    if (retryAfter === null) return next();
    throw tooManyRequests(rate, retryAfter);
  };
}

/**
 * Returns the refusal of a network until its window ends, with the headers of the specification (Errors, RATE_LIMITED).
 */
export function tooManyRequests({ limit, reset }: Pick<RateState, 'limit' | 'reset'>, retryAfter: number): ApiError {
  return new ApiError('RATE_LIMITED', `Too many requests from your network; wait ${retryAfter} s`, {
    headers: {
      'Retry-After': String(retryAfter),
      [HEADERS.rateLimit]: String(limit),
      [HEADERS.rateRemaining]: '0',
      [HEADERS.rateReset]: String(reset),
    },
  });
}
