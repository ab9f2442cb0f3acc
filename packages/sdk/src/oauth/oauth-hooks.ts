import { type Logger, withLogger } from '../call/logger.ts';
import type { PlatformError } from '../errors/platform-error.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** Passed to `onRefreshed` when a new pair of tokens was stored. */
export interface RefreshedEvent {
  /** Key of the grant in the store. */
  readonly key: string;
  /** Expiry time of the new access token. */
  readonly expiresAt: Date;
  /** Duration of the refresh in milliseconds, including locks and store. */
  readonly duration: number;
}

/** Passed to `onRefreshFailed` when a refresh failed. Calls still use the old access token while it is valid. */
export interface RefreshFailedEvent {
  /** Key of the grant in the store. */
  readonly key: string;
  /** The error of the refresh. */
  readonly error: PlatformError;
}

/** Passed to `onGrantEnded` when a refresh found that a grant has ended, and wrote a tombstone to the store. */
export interface GrantEndedEvent {
  /** Key of the grant in the store. */
  readonly key: string;
  /** Reason why the grant ended. */
  readonly reason: ReauthorizationReason;
}

/**
 * Functions that observe the grants of this process. They run outside of locks and are not awaited. An error of a hook
 * becomes a warning. On Node each event is also published to a channel of `node:diagnostics_channel`:
 * `plat:sdk:refreshed`, `plat:sdk:refreshFailed` and `plat:sdk:grantEnded`.
 */
export interface OAuthHooks {
  /** Called after a refresh succeeded. */
  onRefreshed?(event: RefreshedEvent): unknown;
  /** Called after a refresh failed. */
  onRefreshFailed?(event: RefreshFailedEvent): unknown;
  /** Called when a grant has ended. */
  onGrantEnded?(event: GrantEndedEvent): unknown;
}

/** Returns hooks that also log each refresh, and each grant that has ended. */
export function loggingOAuthHooks(hooks: OAuthHooks, logger: Logger | undefined): OAuthHooks {
  return withLogger(hooks, logger, {
    onRefreshed: ['info', ({ key, duration }) => `the token of ${key} was renewed in ${duration} ms`],
    onRefreshFailed: ['warn', ({ key, error }) => `the token of ${key} was not renewed: ${error.message}`],
    onGrantEnded: ['error', ({ key, reason }) => `the grant of ${key} has ended: ${reason}`],
  });
}
