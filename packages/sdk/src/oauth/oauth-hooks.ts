import type { PlatformError } from '../errors/platform-error.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** A grant got a new pair of tokens, and the store has it. */
export interface RefreshedEvent {
  /** Key of the grant in its store. */
  readonly key: string;
  /** When the new access token ends. */
  readonly expiresAt: Date;
  /** Milliseconds that the refresh took, locks and store included. */
  readonly duration: number;
}

/** A refresh failed; where the old access token still lives, calls go on with it. */
export interface RefreshFailedEvent {
  /** Key of the grant in its store. */
  readonly key: string;
  /** The error of the refresh. */
  readonly error: PlatformError;
}

/** A refresh found that the tokens of a grant are dead, and left a tombstone in the store. */
export interface GrantEndedEvent {
  /** Key of the grant in its store. */
  readonly key: string;
  /** Why the grant no longer works. */
  readonly reason: ReauthorizationReason;
}

/**
 * Functions told of what happens to grants in this process. They run outside of locks, nobody waits for them, and what
 * they throw becomes a warning.
 */
export interface OAuthHooks {
  /** Called after a refresh succeeded. */
  onRefreshed?(event: RefreshedEvent): unknown;
  /** Called after a refresh failed. */
  onRefreshFailed?(event: RefreshFailedEvent): unknown;
  /** Called when a grant no longer works. */
  onGrantEnded?(event: GrantEndedEvent): unknown;
}
