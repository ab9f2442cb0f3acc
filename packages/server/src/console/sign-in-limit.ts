import type { Request } from 'express';
import type { Window } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Refuses callers who request too many sign-in links. @throws {@link ApiError} RATE_LIMITED */
export type SignInLimit = (req: Request) => Promise<void>;

/**
 * Counts requests before they reach the database, refused ones too. The mails themselves are counted where they are
 * queued, with the same limit.
 */
export function createSignInLimit(rateLimit: Pick<RateLimit, 'counter'>, limit: Window): SignInLimit {
  const networks = rateLimit.counter('sign-in-network', limit);
  return async (req) => {
    const { retryAfter } = await networks.consume(networkOf(req.ip ?? ''));
    if (retryAfter === null) return;
    const minutes = Math.ceil(retryAfter / 60);
    throw new ApiError(
      'RATE_LIMITED',
      `Too many sign-in links were requested from your network; try again in ${minutes} min`,
      {
        headers: { 'Retry-After': String(retryAfter) },
      },
    );
  };
}
