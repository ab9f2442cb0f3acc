import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
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
  /** Resolves when counts are shared, or when it is clear that for now they cannot be. */
  ready(): Promise<void>;
  /** Counts something else than the requests of a credential. */
  counter(name: string, window: Window): Counter;
  close(): Promise<void>;
}

export interface Counter {
  /** Counts one of whoever it is: a request of a credential. */
  consume(key: string): Promise<RateState>;
}

export interface Window {
  /** How many are within the limit. */
  readonly points: number;
  readonly seconds: number;
}

const REDIS_TIMEOUT_MS = 250;

/**
 * Counts in this process, or in Redis when there is one, so that the limit holds across processes. While Redis
 * is gone each process counts for itself: the API goes on, with a limit that is looser, never with none.
 * @param clock of the development mode, which may be moved; Redis has its own
 */
export function createRateLimit(
  { rateLimit, redisUrl }: Pick<Config, 'rateLimit' | 'redisUrl'>,
  log: Logger,
  clock?: Clock,
): RateLimit {
  const redis = redisUrl === null ? null : connect(redisUrl, log);
  const count = (name: string, window: Window): Counter =>
    clock && !redis ? createWindowCounter(window, clock) : counterOf(name, window, redis);
  return {
    ...count('plat:rate', { points: rateLimit.requests, seconds: rateLimit.windowSeconds }),
    counter: (name, window) => count(`plat:${name}`, window),
    async ready() {
      if (!redis || redis.status === 'ready') return;
      const settled = ['ready', 'error'].map((event) => once(redis, event).catch(() => undefined));
      await Promise.race(settled);
    },
    async close() {
      redis?.disconnect();
    },
  };
}

function counterOf(keyPrefix: string, { points, seconds }: Window, redis: Redis | null): Counter {
  const memory = new RateLimiterMemory({ points, duration: seconds });
  const limiter = redis
    ? new RateLimiterRedis({
        storeClient: redis,
        points,
        duration: seconds,
        keyPrefix,
        rejectIfRedisNotReady: true,
        insuranceLimiter: memory,
      })
    : memory;
  return {
    async consume(key) {
      try {
        return toState(await limiter.consume(key), points, false);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return toState(refusal, points, true);
        throw refusal;
      }
    },
  };
}

function connect(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
    connectTimeout: 2000,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  });
  let lost = false;
  redis.on('error', (error: Error) => {
    if (!lost) log.warn({ err: error }, 'redis is gone: each process counts its own rate limits until it is back');
    lost = true;
  });
  redis.on('ready', () => {
    if (lost) log.info('redis is back: rate limits hold across processes again');
    lost = false;
  });
  return redis;
}

function toState(res: RateLimiterRes, limit: number, exceeded: boolean): RateState {
  const seconds = Math.max(1, Math.ceil(res.msBeforeNext / 1000));
  return {
    limit,
    remaining: Math.max(0, res.remainingPoints),
    reset: Math.ceil((Date.now() + res.msBeforeNext) / 1000),
    retryAfter: exceeded ? seconds : null,
  };
}
