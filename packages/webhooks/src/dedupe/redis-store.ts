import { checkOptions } from '../options.ts';
import { checkFunction } from './sql-dialect.ts';
import type { DedupeStore } from './store.ts';

/** Options of {@link createRedisStore}. */
export interface RedisStoreOptions {
  /**
   * Sends one command and returns its response: `(...words) => redis.call(...words)` with ioredis,
   * `(...words) => redis.sendCommand(words)` with node-redis.
   */
  readonly command: (...words: [string, ...string[]]) => unknown;
  /** Prefix of the keys; `plat:webhook:` when absent. */
  readonly prefix?: string | undefined;
}

const COMPLETED = 'completed';
const COMPLETE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], '${COMPLETED}', 'PX', ARGV[2])
return 1`;
const REMOVE = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/**
 * Creates a store in Redis, with your client. Keys expire by themselves. Configure `maxmemory-policy noeviction`: an
 * evicted key lets a duplicate pass.
 *
 * @example
 * const store = createRedisStore({ command: (...words) => redis.call(...words) });
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function createRedisStore(options: RedisStoreOptions): DedupeStore {
  checkOptions('createRedisStore', options, { command: true, prefix: true });
  const { command, prefix = 'plat:webhook:' } = options;
  checkFunction('command', command);
  const run = async (script: string, key: string, ...values: string[]): Promise<boolean> =>
    Number(await command('EVAL', script, '1', prefix + key, ...values)) === 1;

  return Object.freeze<DedupeStore>({
    async claim({ key, token, leaseSeconds }) {
      const lease = String(Math.ceil(leaseSeconds * 1000));
      const answer = await command('SET', prefix + key, token, 'NX', 'PX', lease);
      // Clients can return Buffers.
      if (String(answer) === 'OK') return 'claimed';
      if (answer !== null && answer !== undefined) throw new Error('Redis did not answer OK to SET', { cause: answer });
      const stored = String(await command('GET', prefix + key));
      // ioredis sends a command again on a new connection. The first SET was executed then.
      if (stored === token) return 'claimed';
      return stored === COMPLETED ? 'completed' : 'in_progress';
    },
    complete: ({ key, token, ttlSeconds }) => run(COMPLETE, key, token, String(Math.ceil(ttlSeconds * 1000))),
    release: ({ key, token }) => run(REMOVE, key, token),
    forget: ({ key }) => run(REMOVE, key, COMPLETED),
  });
}
