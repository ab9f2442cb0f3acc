import { LIMITS } from '@plat/contract';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { count } from '../kernel/meter.ts';
import type { Counter, Counters, Window } from './counter.ts';
import { createWindowCounter } from './window-counter.ts';

export interface RateLimit extends Counter {
  /** Creates a counter of requests that are not counted by credential. */
  counter(name: string, window: Window): Counter;
  /** Creates a counter by network, for requests without a credential to one part of the service. */
  byAddress(part: string): Counter;
  close(): void;
}

/**
 * Counts in Redis if it is configured, so that limits hold across processes; else in this process. Resolves when Redis
 * is connected, or when the first attempt has failed.
 * @param clock the adjustable clock of the development mode; Redis uses its own
 */
export async function createRateLimit(
  { rateLimit, addressRateLimit, redisUrl }: Pick<Config, 'rateLimit' | 'addressRateLimit' | 'redisUrl'>,
  log: Logger,
  clock?: Clock,
): Promise<RateLimit> {
  const counters = clock && redisUrl === null ? countersBy(clock) : await limiters(redisUrl, log);
  const { counter, close } = { ...counters, counter: measured(counters.counter) };
  return {
    ...counter('plat:rate', { points: rateLimit.requests, seconds: rateLimit.windowSeconds }),
    counter: (name, window) => counter(`plat:${name}`, window),
    byAddress: (part) =>
      counter(`plat:address-${part}`, { points: addressRateLimit, seconds: LIMITS.addressRate.windowSeconds }),
    close,
  };
}

/** Counts the refusals of each counter. */
function measured(create: Counters['counter']): Counters['counter'] {
  return (name, window) => {
    const counter = create(name, window);
    const labels = { counter: name.slice('plat:'.length) };
    return {
      async consume(key) {
        const state = await counter.consume(key);
        if (state.retryAfter !== null) count('plat_rate_limited_total', labels);
        return state;
      },
    };
  };
}

function countersBy(clock: Clock): Counters {
  return { counter: (_, window) => createWindowCounter(window, clock), close: () => undefined };
}

async function limiters(redisUrl: string | null, log: Logger): Promise<Counters> {
  const { createLimiters } = await import('./limiters.ts');
  return createLimiters(redisUrl, log);
}
