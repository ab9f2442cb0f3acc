import { LIMITS } from '@plat/contract';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import { createWindowCounter } from './window-counter.ts';

/** Where a credential stands in its window. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  /** Seconds until then, when the limit is exceeded; else null. */
  readonly retryAfter: number | null;
}

export interface RateLimit extends Counter {
  /** Counts something else than the requests of a credential. */
  counter(name: string, window: Window): Counter;
  /** Counts the requests of networks to one part of the service, which takes them without a credential. */
  byAddress(part: string): Counter;
  close(): void;
}

export interface Counter {
  /** Counts one of whoever it is: a request of a credential. */
  consume(key: string): Promise<RateState>;
}

/** Makes counters; each has a name of its own. */
export interface Counters {
  counter(name: string, window: Window): Counter;
  close(): void;
}

export interface Window {
  /** How many are within the limit. */
  readonly points: number;
  readonly seconds: number;
}

/**
 * Counts in this process, or in Redis when there is one, so that the limit holds across processes. Resolves when counts
 * are shared, or when it is clear that for now they cannot be.
 * @param clock of the development mode, which may be moved; Redis has its own
 */
export async function createRateLimit(
  { rateLimit, addressRateLimit, redisUrl }: Pick<Config, 'rateLimit' | 'addressRateLimit' | 'redisUrl'>,
  log: Logger,
  clock?: Clock,
): Promise<RateLimit> {
  const { counter, close } = clock && redisUrl === null ? countersBy(clock) : await limiters(redisUrl, log);
  return {
    ...counter('plat:rate', { points: rateLimit.requests, seconds: rateLimit.windowSeconds }),
    counter: (name, window) => counter(`plat:${name}`, window),
    byAddress: (part) =>
      counter(`plat:address-${part}`, { points: addressRateLimit, seconds: LIMITS.addressRate.windowSeconds }),
    close,
  };
}

function countersBy(clock: Clock): Counters {
  return { counter: (_, window) => createWindowCounter(window, clock), close: () => undefined };
}

async function limiters(redisUrl: string | null, log: Logger): Promise<Counters> {
  const { createLimiters } = await import('./limiters.ts');
  return createLimiters(redisUrl, log);
}
