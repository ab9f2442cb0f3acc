import { checkOptionNames } from '../../checks/options.ts';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import type { GrantStore, ListedGrant, StoredGrant } from '../grant-store.ts';

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Sends one command and returns its response: `(...words) => redis.call(...words)` with ioredis,
   * `(...words) => redis.sendCommand(words)` with node-redis.
   */
  readonly command: (...words: [string, ...string[]]) => unknown;
  /** Prefix of the keys; `plat:grant:` when absent. */
  readonly prefix?: string | undefined;
  /** Name of the database. Stores of one process with the same id share their refreshes. */
  readonly id?: string | undefined;
}

const COMPARE_AND_SET = `if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'value', ARGV[3])
return 1`;

/**
 * Creates a store in Redis, with your client. Configure Redis for durable writes: `appendonly yes`,
 * `appendfsync always`, `maxmemory-policy noeviction`. A failover to a replica that has not received the last write
 * loses a pair.
 * @example
 * ```ts
 * const store = redisStore({ command: (...words) => redis.call(...words) });
 * ```
 * @throws {@link InvalidArgumentError} with the name of the invalid option
 */
export function redisStore(options: RedisStoreOptions): GrantStore {
  checkOptionNames('redisStore', options, { command: true, prefix: true, id: true });
  const { command, prefix = 'plat:grant:', id } = options;
  if (typeof command !== 'function') throw new InvalidArgumentError('command', 'must be a function');
  // Sorted by key. It is no part of a script, because on a cluster it is in another slot than the grants.
  const index = `${prefix}(keys)`;

  async function get(key: string): Promise<StoredGrant | null> {
    const [version, value] = texts(await command('HMGET', prefix + key, 'version', 'value'));
    return version === null || version === undefined ? null : { version: Number(version), value: String(value) };
  }

  return {
    id,
    get,
    async compareAndSet(key, expected, { version, value }) {
      // Before the grant: a key without a grant is skipped by lists, and a grant without a key would be missing.
      if (expected === null) await command('ZADD', index, '0', key);
      const words = ['1', prefix + key, String(expected ?? ''), String(version), value];
      return Number(await command('EVAL', COMPARE_AND_SET, ...words)) === 1;
    },
    async list({ after, limit }) {
      const listed: ListedGrant[] = [];
      for (let from = after; listed.length < limit; ) {
        const start = from === null ? '-' : `(${from}`;
        const keys = texts(await command('ZRANGEBYLEX', index, start, '+', 'LIMIT', '0', String(limit)));
        for (const key of keys) {
          from = key;
          const stored = key === null || listed.length === limit ? null : await get(key);
          if (key !== null && stored) listed.push({ key, ...stored });
        }
        if (keys.length < limit) break;
      }
      return listed;
    },
  };
}

/** node-redis can return `Buffer`s. */
function texts(response: unknown): (string | null)[] {
  if (!Array.isArray(response)) throw new Error('the command function returned no array');
  return response.map((text: unknown) => (text === null || text === undefined ? null : String(text)));
}
