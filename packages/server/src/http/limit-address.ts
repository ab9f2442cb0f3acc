import type { RequestHandler } from 'express';
import type { Counter, RateState } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import type { ApiError } from '../kernel/api-error.ts';
import { rateLimited } from './rate-limited.ts';

/** Responds 429 to a network that has sent too many requests. Mounted before the body is read. */
export function limitAddress(counter: Counter): RequestHandler {
  return async (req, _res, next) => {
    const rate = await counter.consume(networkOf(req.ip ?? ''));
    if (rate.retryAfter === null) return next();
    throw tooManyRequests(rate);
  };
}

/** Returns the refusal of a network until its window ends. */
export function tooManyRequests(rate: RateState): ApiError {
  return rateLimited(`Too many requests from your network; wait ${rate.retryAfter} s`, rate);
}
