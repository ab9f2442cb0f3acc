import { OAUTH_PATHS } from '@plat/contract';
import { pause } from '../call/clock.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { revokeFormer } from './exchange-code.ts';
import { type GrantContext, holdRecord, isAlive, isFresh, notifyHook } from './grant-context.ts';
import { pauseForOther, withLock } from './grant-lock.ts';
import { endRecord, type LiveRecord, type SpendingMark } from './grant-record.ts';
import { GrantLockedError, ReauthorizationRequired, RefreshError } from './oauth-errors.ts';
import type { Found } from './records.ts';
import { thisProcess } from './this-process.ts';
import { readTokenPair, type TokenPair } from './token-answer.ts';

/**
 * Milliseconds after a failed refresh during which calls use the current token, while it is valid, before the next try.
 */
const RETRY_AFTER = 30_000;
/**
 * Maximum number of tries to store a new pair, in 26 s: the restart of a database, and less than the time for which other
 * processes respect the mark. If the pair is lost, the grant is lost.
 */
const TRIES_TO_SAVE = 11;

type Live = Found<LiveRecord>;

/**
 * Gives a grant a valid current token. Either the store already has a newer pair, or the refresh token is spent for a
 * new one in this order: lock, read again, mark, request, store, use. A process can be killed between any two steps,
 * and the mark, which has the `id` of the renewal, then shows the next process that the token may be spent.
 * @throws {@link ReauthorizationRequired} {@link RefreshError} {@link GrantLockedError} {@link GrantStoreError}
 * @throws {@link ApiError} if the service refused the request without spending the token
 */
export async function renewGrant(grant: GrantContext, id: string): Promise<void> {
  const { entry, store, key, times, clock } = grant;
  const startedAt = clock.now();
  try {
    const found = await readLive(grant);
    const stale = entry.held()?.token.generation ?? entry.refused();
    if (adopt(grant, found, stale)) return;
    // The pair expires soon, but calls can use it if the refresh fails.
    if (found.record.generation !== stale && isAlive(grant, found.record)) holdRecord(grant, found.record);
    const refreshed = await withLock(store, key, times.lockTimeout, clock, () =>
      renewInLock(grant, id, found.record.generation),
    );
    const held = entry.held();
    if (!refreshed || !held) return;
    const duration = clock.now() - startedAt;
    notifyHook(grant, 'onRefreshed', () => ({ key, expiresAt: new Date(held.expiresAt), duration }));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    entry.retryNotBefore(clock.now() + RETRY_AFTER);
    if (!(error instanceof ReauthorizationRequired)) notifyHook(grant, 'onRefreshFailed', () => ({ key, error }));
    else {
      entry.hold(null);
      // Reported once, by the process that ended the grant, and not by those that read the tombstone.
      if (error.attempts > 0) notifyHook(grant, 'onGrantEnded', () => ({ key, reason: error.reason }));
    }
    throw error;
  }
}

/** Returns true if the refresh token was spent for a new pair, false if no refresh was required. */
async function renewInLock(grant: GrantContext, id: string, stale: number): Promise<boolean> {
  const { entry, clock, records, key, times } = grant;
  const deadline = clock.now() + times.lockTimeout;
  let seen = { version: 0, at: 0, isSettled: false };
  let spentBefore: SpendingMark | null = null;
  for (;;) {
    const found = await readLive(grant);
    const unsaved = entry.unsaved();
    if (unsaved?.spent === found.record.generation) {
      if (await save(grant, found, unsaved.record)) return true;
      continue;
    }
    if (adopt(grant, found, stale)) return false;
    // The process that connected the tenant again ended before it had revoked the former pair.
    if (
      found.record.former !== undefined &&
      (await revokeFormer(grant, key).then(
        () => true,
        () => false,
      ))
    )
      continue;
    const { mark } = found.record;
    if (mark?.id !== id) spentBefore = mark;
    if (mark && mark.id !== id) {
      if (isAlive(grant, found.record)) {
        // Presenting a spent token ends the grant family and this access token, which is still valid.
        holdRecord(grant, found.record);
        entry.retryNotBefore(clock.now() + RETRY_AFTER);
        return false;
      }
      const { version } = found.stored;
      if (seen.version !== version) seen = { version, at: clock.now(), isSettled: false };
      if (isInFlight(grant, mark, seen.at)) {
        if (clock.now() >= deadline) throw new GrantLockedError(key, mark.by, times.lockTimeout);
        await pauseForOther(clock);
        continue;
      }
      if (!seen.isSettled) {
        seen.isSettled = true;
        await pause(clock, times.settle);
        continue;
      }
    }
    const at = clock.now();
    const marked = await records.write(key, found, () => ({
      ...found.record,
      mark: { id, at, by: thisProcess(), outcome: 'pending' },
    }));
    // Another process wrote first, or this process was suspended so long that others may count it as killed.
    if (!marked || clock.now() - at > times.timeout) continue;
    if (await spend(grant, marked, spentBefore)) return true;
  }
}

/** Presents the refresh token once. Returns false if the store has another pair by then. */
async function spend(grant: GrantContext, marked: Live, before: SpendingMark | null): Promise<boolean> {
  const { endpoint, key, entry } = grant;
  const form = { grant_type: 'refresh_token', refresh_token: marked.record.refreshToken };
  const outcome = await endpoint.sendOnce(OAUTH_PATHS.token, form);
  if (outcome.kind === 'answered') {
    const pair = readTokenPair(outcome.body, outcome.askedAt);
    if (!(pair instanceof Error)) {
      const record = withPair(marked.record, pair);
      entry.keepUnsaved({ spent: marked.record.generation, record });
      return save(grant, marked, record);
    }
    await updateMark(grant, marked, 'unknown', before);
    throw new RefreshError(key, 'unknown', pair);
  }
  if (outcome.kind === 'refused' && outcome.error.rawCode === 'INVALID_GRANT') {
    return endGrant(grant, marked, before === null ? 'refused' : 'answer_lost');
  }
  await updateMark(grant, marked, outcome.kind, before);
  if (outcome.kind === 'refused') throw outcome.error;
  throw new RefreshError(key, outcome.kind, outcome.error);
}

/** Stores a new pair and makes it the current one. Returns false if the store has another record by then. */
async function save(grant: GrantContext, over: Live, record: LiveRecord): Promise<boolean> {
  const { records, key, entry } = grant;
  const { generation: spent, grantId } = over.record;
  for (let base = over; ; ) {
    const saved = await records.write(key, base, (generation) => ({ ...record, generation }), TRIES_TO_SAVE);
    if (saved) {
      entry.keepUnsaved(null);
      holdRecord(grant, saved.record);
      return true;
    }
    const now = await records.read(key);
    if (now?.record.status !== 'live' || now.record.generation !== spent || now.record.grantId !== grantId) {
      // The grant was revoked or connected again.
      entry.keepUnsaved(null);
      return false;
    }
    base = { stored: now.stored, record: now.record };
  }
}

/**
 * Ends the grant after the service refused the refresh token, unless the store has another pair by then.
 * @throws {@link ReauthorizationRequired}
 */
async function endGrant(grant: GrantContext, marked: Live, reason: 'refused' | 'answer_lost'): Promise<false> {
  const { records, key, clock } = grant;
  for (;;) {
    const found = await readLive(grant);
    if (found.record.generation !== marked.record.generation) return false;
    const ended = await records.write(key, found, () => endRecord(found.record, reason, clock.now()));
    if (ended) throw new ReauthorizationRequired(key, reason, { attempts: 1 });
  }
}

/**
 * Stores the outcome of the request in the mark. A token that may have been spent before keeps its mark for every
 * outcome. If the store fails, the mark stays pending, and later counts as unknown.
 */
async function updateMark(
  { records, key, clock }: GrantContext,
  marked: Live,
  outcome: 'refused' | 'not_sent' | 'unknown',
  before: SpendingMark | null,
): Promise<void> {
  const { mark } = marked.record;
  const unknown = outcome === 'unknown' || before !== null;
  const next = unknown && mark ? { ...mark, at: clock.now(), outcome: 'unknown' as const } : null;
  await records.write(key, marked, () => ({ ...marked.record, mark: next })).catch(() => null);
}

/** Makes the stored pair the current one, if it is not the one to be replaced and is fresh. */
function adopt(grant: GrantContext, { record }: Live, stale: number | null): boolean {
  if (record.generation === stale || record.generation === grant.entry.refused()) return false;
  if (!isFresh(record, grant.clock.now())) return false;
  holdRecord(grant, record);
  return true;
}

/**
 * Returns true if the request behind a mark may still be running. With locks it is not: its process would hold the
 * lock. Nor is it after the runtime stopped it.
 * @param seenAt time at which this process first saw the mark: the clock of the other process can run ahead
 */
function isInFlight({ store, times, clock, entry }: GrantContext, mark: SpendingMark, seenAt: number): boolean {
  if (store.tryLock || mark.outcome === 'unknown' || mark.id === entry.abandoned()) return false;
  return clock.now() - Math.min(mark.at, seenAt) < times.timeout * 3;
}

/** @throws {@link ReauthorizationRequired} if there is no grant or a tombstone */
async function readLive({ records, key }: GrantContext): Promise<Live> {
  const found = await records.read(key);
  if (!found) throw new ReauthorizationRequired(key, 'not_connected');
  const { stored, record } = found;
  if (record.status === 'ended') throw new ReauthorizationRequired(key, record.reason);
  return { stored, record };
}

function withPair(record: LiveRecord, pair: TokenPair): LiveRecord {
  // RFC 6749, 5.1: an absent scope means the requested scope.
  const scopes = pair.scopes.length > 0 ? pair.scopes : record.scopes;
  return { ...record, ...pair, scopes, mark: null };
}
