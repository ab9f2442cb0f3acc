import type { RequestHandler } from 'express';
import { networkOf } from '../auth/network.ts';
import type { Counter } from '../auth/rate-limit.ts';
import { ApiError } from '../kernel/api-error.ts';

/** 429 for a network that has sent too many requests. Goes before the body is read. */
export function limitAddress(counter: Counter): RequestHandler {
  return async (req, _res, next) => {
    const { retryAfter } = await counter.consume(networkOf(req.ip ?? ''));
    if (retryAfter === null) return next();
    throw tooManyRequests(retryAfter);
  };
}

/** The refusal of a network until its window ends. */
export function tooManyRequests(retryAfterSeconds: number): ApiError {
  return new ApiError('RATE_LIMITED', `Too many requests from your network; wait ${retryAfterSeconds} s`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
