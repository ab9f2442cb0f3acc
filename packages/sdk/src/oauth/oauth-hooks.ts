import type { PlatformError } from '../errors/platform-error.ts';
import type { ReauthorizationReason } from './oauth-errors.ts';

/** A grant got a new pair of tokens, and the store has it. */
export interface RefreshedEvent {
  readonly key: string;
  /** When the new access token ends. */
  readonly expiresAt: Date;
  /** Milliseconds that the refresh took, locks and store included. */
  readonly duration: number;
}

/** A refresh failed; where the old access token still lives, calls go on with it. */
export interface RefreshFailedEvent {
  readonly key: string;
  readonly error: PlatformError;
}

/** A refresh found that the tokens of a grant are dead, and left a tombstone in the store. */
export interface GrantEndedEvent {
  readonly key: string;
  readonly reason: ReauthorizationReason;
}

/**
 * Functions told of what happens to grants in this process. They run outside of locks, nobody waits for them, and what
 * they throw becomes a warning.
 */
export interface OAuthHooks {
  onRefreshed?(event: RefreshedEvent): unknown;
  onRefreshFailed?(event: RefreshFailedEvent): unknown;
  onGrantEnded?(event: GrantEndedEvent): unknown;
}
