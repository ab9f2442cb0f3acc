export { createOneTimeGuard, type OneTimeGuard, type OneTimeGuardOptions } from './guard.ts';
export { type MemoryOneTimeStoreOptions, memoryOneTimeStore } from './memory-store.ts';
export { type RedisOneTimeStoreOptions, redisOneTimeStore } from './redis-store.ts';
export { type SqlDialect, type SqlOneTimeStoreOptions, sqlOneTimeStore, usedTokensTableSql } from './sql-store.ts';
export type { OneTimeStore } from './store.ts';
