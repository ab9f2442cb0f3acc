import { once } from 'node:events';
import type { Redis } from 'ioredis';

/** Time for a command, in ms. */
const COMMAND_MS = 250;

/**
 * Connects to Redis. Resolves when it is connected, or when the first attempt has failed; further attempts follow in
 * the background. Meanwhile commands are rejected at once.
 */
export async function connectRedis(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: 2000,
    retryStrategy: (times) => Math.min(times * 100, 2000),
  });
  // Rejected commands report it.
  redis.on('error', () => undefined);
  const settled = ['ready', 'error'].map((event) => once(redis, event).catch(() => undefined));
  await Promise.race(settled);
  return redis;
}
