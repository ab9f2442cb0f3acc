import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import type { OneTimeStore } from './store.ts';

/** Options of {@link redisOneTimeStore}. */
export interface RedisOneTimeStoreOptions {
  /**
   * Sends one command and returns its reply: `(...words) => redis.call(...words)` with ioredis,
   * `(...words) => redis.sendCommand(words)` with node-redis.
   */
  readonly command: (...words: [name: string, ...words: string[]]) => unknown;
}

/**
 * Creates a store in Redis. A launch costs one `SET … NX`, a repeated one also a `GET`, and Redis expires the
 * entry. Use a database without eviction
 * (`maxmemory-policy noeviction`): the token of an evicted entry would be accepted again.
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function redisOneTimeStore(options: RedisOneTimeStoreOptions): OneTimeStore {
  checkNames('redisOneTimeStore', options, { command: true });
  const { command } = options;
  if (typeof command !== 'function') throw new LaunchTokenError('OPTION_INVALID', 'command must be a function.');
  return Object.freeze<OneTimeStore>({
    async claim({ key, token, leaseSeconds }) {
      const reply = await command('SET', key, token, 'NX', 'EX', String(leaseSeconds));
      if (reply !== null && reply !== undefined) {
        if (String(reply) === 'OK') return 'claimed';
        throw new Error('Redis did not answer OK to SET', { cause: reply });
      }
      // ioredis sends a command again on a new connection. The first SET was executed then.
      return String(await command('GET', key)) === token ? 'claimed' : 'taken';
    },
  });
}
