export { type Claim, createDedupe, type Dedupe, type DedupeOptions } from './dedupe.ts';
export { handledTableSql, type RecordOptions, recordHandled } from './handled.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { createRedisStore, type RedisStoreOptions } from './redis-store.ts';
export type { SqlDialect, SqlQuery } from './sql-dialect.ts';
export { claimsTableSql, createSqlStore, type SqlStoreOptions } from './sql-store.ts';
export type { Awaitable, ClaimOutcome, DedupeStore } from './store.ts';
