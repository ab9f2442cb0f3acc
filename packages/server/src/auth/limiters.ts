import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { gauge } from '../kernel/meter.ts';
import { connectRedis } from '../kernel/redis.ts';
import { Breaker } from './breaker.ts';
import { type Counter, type Counters, type RateState, stateOf, type Window } from './counter.ts';

/** A Redis that counts, and the breaker that protects requests from waiting for it. */
interface Shared {
  readonly redis: Redis;
  readonly breaker: Breaker;
}

/**
 * Creates counters by real time, in Redis if it is configured. While Redis does not answer, each process counts for
 * itself: the API stays available, with a looser limit.
 */
export async function createLimiters(redisUrl: string | null, log: Logger): Promise<Counters> {
  const shared = redisUrl === null ? null : await share(redisUrl, log);
  return {
    counter: (name, window) => counterOf(name, window, shared),
    close() {
      shared?.breaker.stop();
      shared?.redis.disconnect();
    },
  };
}

function counterOf(keyPrefix: string, { points, seconds }: Window, shared: Shared | null): Counter {
  const memory = new RateLimiterMemory({ points, duration: seconds });
  if (!shared) return { consume: (key) => consume(memory, key) };
  const { redis: storeClient, breaker } = shared;
  const limiter = new RateLimiterRedis({
    ...{ storeClient, points, duration: seconds, keyPrefix },
    rejectIfRedisNotReady: true,
  });
  return {
    async consume(key) {
      if (breaker.isOpen) return consume(memory, key);
      try {
        const state = await consume(limiter, key);
        breaker.succeeded();
        return state;
      } catch (error) {
        breaker.failed(error);
        return consume(memory, key);
      }
    },
  };
}

async function consume(limiter: RateLimiterMemory | RateLimiterRedis, key: string): Promise<RateState> {
  try {
    return toState(await limiter.consume(key), limiter.points);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toState(refusal, limiter.points);
    throw refusal;
  }
}

async function share(url: string, log: Logger): Promise<Shared> {
  const redis = await connectRedis(url);
  const breaker = new Breaker({
    probe: () => redis.ping(),
    changed(error) {
      gauge('plat_rate_limit_fallback', {}, error === null ? 0 : 1);
      if (error === null) log.info('Redis responds again: rate limits hold across processes');
      else log.warn({ err: error }, 'Redis does not respond: each process counts its own rate limits until it does');
    },
  });
  gauge('plat_rate_limit_fallback', {}, 0);
  return { redis, breaker };
}

function toState({ consumedPoints, msBeforeNext }: RateLimiterRes, limit: number): RateState {
  return stateOf({ limit, used: consumedPoints, now: Date.now(), endsInMs: msBeforeNext });
}
