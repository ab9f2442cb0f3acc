import { conceal } from '../conceal.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';

/**
 * Creates a store that lasts as long as the process: for tests and first steps. Tenants must consent again after each
 * start.
 */
export function memoryStore(): GrantStore {
  const grants = new Map<string, StoredGrant>();
  const store: GrantStore = {
    get: async (key) => grants.get(key) ?? null,
    async compareAndSet(key, expected, next) {
      if ((grants.get(key)?.version ?? null) !== expected) return false;
      grants.set(key, next);
      return true;
    },
    list: async ({ after, limit }) =>
      [...grants]
        .filter(([key]) => after === null || key > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([key, stored]) => ({ key, ...stored })),
  };
  return conceal(store, { store: 'memory' });
}
