import { ApiError } from '../errors/api-error.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import type { PlatformError } from '../errors/platform-error.ts';
import type { Clock } from './clock.ts';

/** First step and ceiling of the exponential backoff in ms. */
const FIRST_STEP = 500;
const LONGEST_STEP = 8_000;

/** Returns true if a retry can change a response with this status and code. */
export function isRetryableAnswer(status: number, code?: string): boolean {
  return status === 408 || status === 429 || status >= 500 || code === 'IDEMPOTENCY_KEY_IN_USE';
}

/**
 * Returns the milliseconds until the next attempt, after `retries` earlier retries. Retry-After is never shortened,
 * only extended by up to a tenth (at most 1 s), so that callers that were refused together do not return together.
 * Without Retry-After: 0.5 s, 1 s, 2 s … up to 8 s, of which half is random.
 */
export function retryDelay(error: PlatformError, retries: number, clock: Clock): number {
  const retryAfter = error instanceof ApiError || error instanceof InvalidResponseError ? error.retryAfter : null;
  if (retryAfter !== null && retryAfter > 0) {
    const wait = retryAfter * 1000;
    return Math.ceil(wait + clock.random() * Math.min(1000, wait / 10));
  }
  const step = Math.min(LONGEST_STEP, FIRST_STEP * 2 ** retries);
  return Math.ceil((step / 2) * (1 + clock.random()));
}
