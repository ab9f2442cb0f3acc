import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';
import type { DevClock } from './dev-clock.ts';
import { countPending, nextDueAfter, type PendingWork } from './pending.ts';

/** State of the clock, as `/_dev/clock` returns it. */
export interface DevClockState {
  readonly object: 'dev_clock';
  readonly now: string;
  readonly frozen: boolean;
  /** Work that this call ran. */
  readonly work: WorkDone;
  /** Work that waits for its time, and the time of the first of it. */
  readonly pending: PendingWork & { readonly next_at: string | null };
}

export interface WorkDone {
  /** Number of attempts with any outcome. */
  readonly deliveries: number;
  readonly mails: number;
  /** Number of rows that housekeeping deleted. */
  readonly rows_removed: number;
}

export interface Travel {
  /** True if the clock may move back. Past changes keep their times. */
  readonly force?: boolean | undefined;
  /** Time limit of the work on the way, in ms of real time. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Moves the clock of a server. On the way forward the clock stops at each time at which work becomes due, and continues
 * after that work. The work of an hour therefore runs in order.
 */
export interface TimeControl {
  /** Returns the current time, in ms. */
  now(): number;
  read(): Promise<DevClockState>;
  /**
   * Freezes the clock, now or at a time in ms.
   * @throws {@link ApiError} UNPROCESSABLE if the time is in the past; WORK_LEFT if the work on the way did not end
   */
  freeze(at?: number, travel?: Travel): Promise<DevClockState>;
  /** Sets the clock to a time in ms. Throws like {@link freeze}. */
  set(at: number, travel?: Travel): Promise<DevClockState>;
  /** Moves the clock forward by a number of ms. Throws like {@link freeze}. */
  advance(ms: number, travel?: Travel): Promise<DevClockState>;
  /** Lets the clock run from its current time. */
  resume(): Promise<DevClockState>;
  /** Resets the clock to the time of the machine, forward or back, running. Objects keep their times. */
  reset(): Promise<DevClockState>;
  /**
   * Waits until no work is due or in progress.
   * @throws {@link ApiError} WORK_LEFT if that takes too long
   */
  idle(timeoutMs?: number): Promise<void>;
}

export interface TimeControlOptions {
  readonly db: Database;
  readonly clock: DevClock;
  /** True if this process runs due work. */
  readonly works: boolean;
  idle(signal: AbortSignal): Promise<void>;
  /** Returns the work since the start. */
  done(): Omit<WorkDone, 'rows_removed'>;
  /** Deletes expired rows and resolves to their number. Null if this process runs no housekeeping. */
  readonly housekeep: (() => Promise<number>) | null;
}

/** Default time limit of the work in one call, in ms. */
export const DEFAULT_TIMEOUT_MS = 30_000;
const HOUSEKEEPING_EVERY_MS = 3_600_000;

export function createTimeControl(options: TimeControlOptions): TimeControl {
  const { db, clock, works, housekeep } = options;
  let housekeptAt = clock.now();
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs calls one after the other: concurrent moves of the clock would disturb each other. */
  const inTurn = (act: () => Promise<number>): Promise<DevClockState> => {
    const mine = turn.then(async () => {
      const before = options.done();
      const removed = await act();
      const after = options.done();
      return stateAfter({
        deliveries: after.deliveries - before.deliveries,
        mails: after.mails - before.mails,
        rows_removed: removed,
      });
    });
    turn = mine.catch(() => undefined);
    return mine;
  };

  return {
    now: clock.now,
    read: () => stateAfter({ deliveries: 0, mails: 0, rows_removed: 0 }),
    freeze: (at, travel) =>
      inTurn(async () => {
        const removed = at === undefined ? 0 : await moveTo(at, travel);
        clock.freeze();
        // A running clock has moved past the time meanwhile.
        if (at !== undefined) clock.moveTo(at);
        return removed;
      }),
    set: (at, travel) => inTurn(() => moveTo(at, travel)),
    advance: (ms, travel) => inTurn(() => moveTo(clock.now() + ms, travel)),
    resume: () =>
      inTurn(async () => {
        clock.resume();
        return 0;
      }),
    reset: () =>
      inTurn(async () => {
        clock.reset();
        housekeptAt = clock.now();
        return 0;
      }),
    idle: (timeoutMs = DEFAULT_TIMEOUT_MS) => rest(AbortSignal.timeout(timeoutMs), timeoutMs),
  };

  async function moveTo(target: number, { force = false, timeoutMs = DEFAULT_TIMEOUT_MS }: Travel = {}) {
    const now = clock.now();
    if (target >= now) return moveForward(target, timeoutMs);
    if (!force) throw clockMovesBack(now, target);
    clock.moveTo(target);
    housekeptAt = target;
    return 0;
  }

  /** Resolves to the number of rows that housekeeping deleted at the end. */
  async function moveForward(target: number, timeoutMs: number): Promise<number> {
    const signal = AbortSignal.timeout(timeoutMs);
    const wasFrozen = clock.isFrozen;
    clock.freeze();
    try {
      await rest(signal, timeoutMs);
      for (let at = await next(); at !== null && at < target; at = await next()) {
        clock.moveTo(at);
        await rest(signal, timeoutMs);
      }
      clock.moveTo(target);
      await rest(signal, timeoutMs);
      if (!housekeep || target - housekeptAt < HOUSEKEEPING_EVERY_MS) return 0;
      housekeptAt = target;
      return await housekeep();
    } finally {
      if (!wasFrozen) clock.resume();
    }
  }

  async function next(): Promise<number | null> {
    return works ? nextDueAfter(db, clock.now()) : null;
  }

  async function rest(signal: AbortSignal, timeoutMs: number): Promise<void> {
    await options.idle(signal);
    if (signal.aborted) throw workLeft(clock.now(), await countPending(db, clock.now()), timeoutMs);
  }

  async function stateAfter(work: WorkDone): Promise<DevClockState> {
    const now = clock.now();
    const nextAt = await nextDueAfter(db, now);
    return {
      object: 'dev_clock',
      now: isoTime(now),
      frozen: clock.isFrozen,
      work,
      pending: { ...(await countPending(db)), next_at: isoTimeOrNull(nextAt) },
    };
  }
}

function clockMovesBack(now: number, target: number): ApiError {
  return new ApiError(
    'UNPROCESSABLE',
    `The clock is at ${isoTime(now)} and does not go back to ${isoTime(target)}, because past changes keep their times. Set it back with "force": true, preferably before creating any data`,
  );
}

function workLeft(now: number, { deliveries, mails, replays }: PendingWork, timeoutMs: number): ApiError {
  const left = [amount(deliveries, 'delivery'), amount(mails, 'mail'), amount(replays, 'replay')].filter(Boolean);
  const what = left.length > 0 ? `${left.join(', ')} due or in flight` : 'work in progress';
  return new ApiError(
    'WORK_LEFT',
    `After ${timeoutMs / 1000} s there is still ${what}; the clock is at ${isoTime(now)}. A receiver may hang: check its deliveries, or allow more time with "timeout_ms"`,
  );
}

function amount(count: number, one: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${one}` : `${count} ${one.replace(/([^aeiou])y$/, '$1ie')}s`;
}
