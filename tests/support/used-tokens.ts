import { type OneTimeStore, redisOneTimeStore, sqlOneTimeStore } from '@plat/launch-token';
import { connectRedis } from './redis-client.ts';
import { openQuery, type SqlAt } from './sql-query.ts';

/** Serializable description of a store of used launch tokens, for another process. */
export type UsedTokensAt = SqlAt | { readonly redis: string };

/** A store shared by processes, and the function that closes it. */
export async function openOneTimeStore(
  at: UsedTokensAt,
): Promise<{ readonly store: OneTimeStore; close(): Promise<void> }> {
  if ('redis' in at) {
    const redis = await connectRedis(at.redis);
    const store = redisOneTimeStore({ command: (...words) => redis.call(...words) });
    return { store, close: async () => redis.close() };
  }
  const { dialect, query, close } = openQuery(at);
  return { store: sqlOneTimeStore({ dialect, query }), close };
}
