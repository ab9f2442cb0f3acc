import type { Request } from 'express';
import { emailHash } from '../accounts/email.ts';
import { networkOf } from '../auth/network.ts';
import type { Counter, RateLimit } from '../auth/rate-limit.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Refuses whoever asks for too many mails: to one address, or from one network. */
export interface AskLimit {
  /** @throws {@link ApiError} RATE_LIMITED */
  byNetwork(req: Request): Promise<void>;
  /** @throws {@link ApiError} RATE_LIMITED */
  byAddress(email: string): Promise<void>;
}

const SECONDS = 60 * 60;

export function createAskLimit(rateLimit: Pick<RateLimit, 'counter'>): AskLimit {
  const networks = rateLimit.counter('sign-in-network', { points: 100, seconds: SECONDS });
  const addresses = rateLimit.counter('sign-in-address', { points: 10, seconds: SECONDS });
  return {
    byNetwork: (req) => count(networks, networkOf(req.ip ?? '')),
    byAddress: (email) => count(addresses, emailHash(email).toString('base64url')),
  };
}

async function count(counter: Counter, key: string): Promise<void> {
  const { retryAfter } = await counter.consume(key);
  if (retryAfter === null) return;
  const minutes = Math.ceil(retryAfter / 60);
  throw new ApiError('RATE_LIMITED', `Too many mails were asked for; try again in ${minutes} min`, {
    headers: { 'Retry-After': String(retryAfter) },
  });
}
