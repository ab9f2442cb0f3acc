import { HEADERS } from '@plat/contract';
import type { RateState } from '../auth/counter.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Returns a refusal until a window ends, with the headers of the specification (Errors, RATE_LIMITED). */
export function rateLimited(message: string, { limit, remaining, reset, retryAfter }: RateState): ApiError {
  return new ApiError('RATE_LIMITED', message, {
    headers: {
      'Retry-After': String(retryAfter),
      [HEADERS.rateLimit]: String(limit),
      [HEADERS.rateRemaining]: String(remaining),
      [HEADERS.rateReset]: String(reset),
    },
  });
}
