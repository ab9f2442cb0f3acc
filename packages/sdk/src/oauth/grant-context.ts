import type { Clock } from '../call/clock.ts';
import { notify, type Warn } from '../call/hooks.ts';
import type { GrantEntry } from './grant-entry.ts';
import type { LiveRecord } from './grant-record.ts';
import type { GrantStore } from './grant-store.ts';
import type { OAuthHooks } from './oauth-hooks.ts';
import type { Records } from './records.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** Times of the refresh protocol, in ms. */
export interface RefreshTimes {
  /** What the request to the token endpoint may take. */
  readonly timeout: number;
  /** How long another process is waited for. */
  readonly lockTimeout: number;
  /** How long a refresh without an answer is given to arrive at last, before its token is presented again. */
  readonly settle: number;
}

/** What all grants of one app in one store are renewed with. */
export interface GrantTools {
  readonly store: GrantStore;
  readonly records: Records;
  readonly endpoint: TokenEndpoint;
  readonly times: RefreshTimes;
  readonly hooks: OAuthHooks;
  readonly warn: Warn;
  readonly clock: Clock;
}

/** One grant of this process. */
export interface GrantContext extends GrantTools {
  readonly key: string;
  readonly entry: GrantEntry;
}

/** Renewal begins between these two before the end, at a moment drawn for each process and pair. */
const AHEAD_AT_MOST = 300_000;
const AHEAD_AT_LEAST = 60_000;

/** Takes a pair into use. */
export function holdRecord({ entry, clock }: Pick<GrantContext, 'entry' | 'clock'>, record: LiveRecord): void {
  const { generation, accessToken, expiresAt } = record;
  const { blockAt, earliest } = scheduleOf(record);
  const refreshAt = earliest + clock.random() * (blockAt - earliest);
  entry.hold({ token: { value: accessToken, generation }, refreshAt, blockAt, expiresAt });
}

/** Whether calls may use a pair without waiting for the next one. */
export function isFresh(record: LiveRecord, now: number): boolean {
  return now < scheduleOf(record).blockAt;
}

/** Whether the service should take the access token still. */
export function isAlive({ entry, clock }: GrantContext, record: LiveRecord): boolean {
  return clock.now() < record.expiresAt && entry.refused() !== record.generation;
}

/** Calls a hook of the app's. */
export function tell<K extends keyof OAuthHooks>(
  { hooks, warn }: GrantContext,
  name: K,
  event: () => Parameters<NonNullable<OAuthHooks[K]>>[0],
): void {
  notify(hooks, name, warn, event);
}

/** Tokens of a short life have shorter times: otherwise each call would renew them. */
function scheduleOf({ obtainedAt, expiresAt }: LiveRecord): { readonly earliest: number; readonly blockAt: number } {
  const life = expiresAt - obtainedAt;
  return {
    earliest: expiresAt - Math.min(AHEAD_AT_MOST, life / 2),
    blockAt: expiresAt - Math.min(AHEAD_AT_LEAST, life / 10),
  };
}
