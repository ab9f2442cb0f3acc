import { HEADERS } from '@plat/contract';
import type { TransportHeaders } from './transport/transport.ts';

/** State of the credential's rate limit, as the answer told it. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit: number;
  /** Requests left in the window. */
  readonly remaining: number;
  /** When the window starts anew. */
  readonly resetAt: Date;
}

/** Reads the three X-RateLimit headers; null unless all are there and sound. */
export function readRateLimit(headers: TransportHeaders): RateLimit | null {
  const limit = wholeNumber(headers.get(HEADERS.rateLimit));
  const remaining = wholeNumber(headers.get(HEADERS.rateRemaining));
  const reset = wholeNumber(headers.get(HEADERS.rateReset));
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/**
 * Seconds that `Retry-After` asks to wait (RFC 9110, 10.2.3: delay-seconds or an HTTP-date); null without a sound one.
 * A date is measured against the answer's own `Date`, so that a client with a wrong clock waits the right time.
 */
export function readRetryAfter(headers: TransportHeaders, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = wholeNumber(value);
  if (seconds !== null) return seconds;
  const until = httpDate(value);
  if (until === null) return null;
  return Math.max(0, (until - (httpDate(headers.get('date')) ?? now)) / 1000);
}

function wholeNumber(value: string | null): number | null {
  return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

/** `Date.parse` takes nearly anything ("-1" is the year 2001); only what ends in GMT is an HTTP-date. */
function httpDate(value: string | null): number | null {
  if (value === null || !value.endsWith('GMT')) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}
