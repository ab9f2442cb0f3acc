import { once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counter, Counters, RateState, Window } from './counter.ts';

const REDIS_TIMEOUT_MS = 250;

/**
 * Creates counters by real time, in Redis if it is configured. While Redis is unreachable, each process counts for
 * itself: the API stays available, with a looser limit.
 */
export async function createLimiters(redisUrl: string | null, log: Logger): Promise<Counters> {
  const redis = redisUrl === null ? null : await connect(redisUrl, log);
  return {
    counter: (name, window) => counterOf(name, window, redis),
    close: () => redis?.disconnect(),
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

/**
 * Resolves when Redis is connected, or when the first attempt has failed. Further attempts follow in the background.
 */
async function connect(url: string, log: Logger): Promise<Redis> {
  const { Redis } = await import('ioredis');
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
  const settled = ['ready', 'error'].map((event) => once(redis, event).catch(() => undefined));
  await Promise.race(settled);
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
