import type { Request } from 'express';
import type { Window } from '../auth/counter.ts';
import { networkOf } from '../auth/network.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { rateLimited } from '../http/rate-limited.ts';

/** Refuses callers who request too many sign-in links. @throws ApiError RATE_LIMITED */
export type SignInLimit = (req: Request) => Promise<void>;

/**
 * Counts requests before they reach the database, refused ones too. The mails themselves are counted where they are
 * queued, with the same limit.
 */
export function createSignInLimit(rateLimit: Pick<RateLimit, 'counter'>, limit: Window): SignInLimit {
  const networks = rateLimit.counter('sign-in-network', limit);
  return async (req) => {
    const rate = await networks.consume(networkOf(req.ip ?? ''));
    if (rate.retryAfter === null) return;
    const minutes = Math.ceil(rate.retryAfter / 60);
    const message = `Too many sign-in links were requested from your network; try again in ${minutes} min`;
    throw rateLimited(message, rate);
  };
}
