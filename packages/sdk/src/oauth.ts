export type { Introspection } from '@plat/contract';
// With `declaration`, a compiler names the types of the main entry only if a program loads it.
export type {} from './index.ts';
export { aesGcm } from './oauth/aes-gcm.ts';
export type { AuthorizationRequest, PendingAuthorization } from './oauth/authorization.ts';
export type { Callback } from './oauth/callback.ts';
export type { Grant } from './oauth/grant.ts';
export type {
  GrantEncryption,
  GrantLock,
  GrantRange,
  GrantStore,
  ListedGrant,
  LockHolder,
  StoredGrant,
} from './oauth/grant-store.ts';
export type { GrantListOptions, OAuthGrants } from './oauth/grants.ts';
export type { ImportedGrant } from './oauth/import-grant.ts';
export { OAuth } from './oauth/oauth.ts';
export {
  AuthorizationError,
  CallbackError,
  GrantLockedError,
  GrantStoreError,
  type ReauthorizationReason,
  ReauthorizationRequired,
  RefreshError,
} from './oauth/oauth-errors.ts';
export type { GrantEndedEvent, OAuthHooks, RefreshedEvent, RefreshFailedEvent } from './oauth/oauth-hooks.ts';
export type { ActingOptions, OAuthOptions, RenewalOptions } from './oauth/oauth-options.ts';
export type { WaitUntil } from './oauth/renewal.ts';
export { memoryStore } from './oauth/stores/memory-store.ts';
export { type RedisStoreOptions, redisStore } from './oauth/stores/redis-store.ts';
export { grantsTableSql, type SqlDialect, type SqlStoreOptions, sqlStore } from './oauth/stores/sql-store.ts';
