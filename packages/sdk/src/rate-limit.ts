import { HEADERS } from '@plat/contract';
import type { TransportHeaders } from './transport/transport.ts';

/** State of the rate limit of the credential, from the response headers. */
export interface RateLimit {
  /** Maximum number of requests in the window. */
  readonly limit: number;
  /** Number of requests left in the window. */
  readonly remaining: number;
  /** Time at which the next window starts. */
  readonly resetAt: Date;
}

/** Reads the three X-RateLimit headers; null unless all are present and valid. */
export function readRateLimit(headers: TransportHeaders): RateLimit | null {
  const limit = wholeNumber(headers.get(HEADERS.rateLimit));
  const remaining = wholeNumber(headers.get(HEADERS.rateRemaining));
  const reset = wholeNumber(headers.get(HEADERS.rateReset));
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/**
 * Returns the seconds of `Retry-After` (RFC 9110, 10.2.3: delay-seconds or an HTTP-date); null if it is absent or
 * invalid. A date is compared with the `Date` of the response, so that a wrong local clock has no effect.
 */
export function readRetryAfter(headers: TransportHeaders, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = wholeNumber(value);
  if (seconds !== null) return seconds;
  const until = httpDate(value);
  if (until === null) return null;
  return Math.max(0, (until - (readDate(headers) ?? now)) / 1000);
}

/** Returns the `Date` of a response in ms; null if it is absent or invalid. */
export function readDate(headers: TransportHeaders): number | null {
  return httpDate(headers.get('date'));
}

function wholeNumber(value: string | null): number | null {
  return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

/** `Date.parse` accepts nearly anything ("-1" is the year 2001). An HTTP-date ends in GMT. */
function httpDate(value: string | null): number | null {
  if (value === null || !value.endsWith('GMT')) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}
