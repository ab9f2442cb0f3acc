import type { Clock } from '../call/clock.ts';
import { notify, type Warn } from '../call/hooks.ts';
import type { GrantEntry } from './grant-entry.ts';
import type { LiveRecord } from './grant-record.ts';
import type { GrantStore } from './grant-store.ts';
import type { OAuthHooks } from './oauth-hooks.ts';
import type { Records } from './records.ts';
import type { Renewal } from './renewal.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** Times of the refresh protocol in ms. */
export interface RefreshTimes {
  /** Time-out of the request to the token endpoint. */
  readonly timeout: number;
  /** Maximum time to wait for another process. */
  readonly lockTimeout: number;
  /** Time to wait after a refresh without a response, before its refresh token is presented again. */
  readonly settle: number;
}

/** Tools that all grants of one app in one store share. */
export interface GrantTools {
  readonly store: GrantStore;
  readonly records: Records;
  readonly endpoint: TokenEndpoint;
  readonly times: RefreshTimes;
  readonly hooks: OAuthHooks;
  readonly warn: Warn;
  readonly clock: Clock;
}

/** A grant in this process. */
export interface GrantContext extends GrantTools {
  readonly key: string;
  readonly entry: GrantEntry;
  readonly renewal: Renewal;
}

/** A renewal starts between these two times before the expiry, at a random time for each process and token pair. */
const AHEAD_AT_MOST = 300_000;
const AHEAD_AT_LEAST = 60_000;

/** Makes a token pair the current one. */
export function holdRecord({ entry, clock }: Pick<GrantContext, 'entry' | 'clock'>, record: LiveRecord): void {
  const { generation, accessToken, expiresAt } = record;
  const { blockAt, earliest } = scheduleOf(record);
  const refreshAt = earliest + clock.random() * (blockAt - earliest);
  entry.hold({ token: { value: accessToken, generation }, refreshAt, blockAt, expiresAt });
}

/** Returns true if calls may use a token pair without waiting for a renewal. */
export function isFresh(record: LiveRecord, now: number): boolean {
  return now < scheduleOf(record).blockAt;
}

/** Returns true if the access token has not expired and was not refused. */
export function isAlive({ entry, clock }: GrantContext, record: LiveRecord): boolean {
  return clock.now() < record.expiresAt && entry.refused() !== record.generation;
}

/** Calls a hook of the app. */
export function notifyHook<K extends keyof OAuthHooks>(
  { hooks, warn }: GrantContext,
  name: K,
  event: () => Parameters<NonNullable<OAuthHooks[K]>>[0],
): void {
  notify(hooks, name, warn, event);
}

/** Short-lived tokens have shorter times. Otherwise each call would renew them. */
function scheduleOf({ obtainedAt, expiresAt }: LiveRecord): { readonly earliest: number; readonly blockAt: number } {
  const life = expiresAt - obtainedAt;
  return {
    earliest: expiresAt - Math.min(AHEAD_AT_MOST, life / 2),
    blockAt: expiresAt - Math.min(AHEAD_AT_LEAST, life / 10),
  };
}
