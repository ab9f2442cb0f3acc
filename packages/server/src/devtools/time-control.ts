import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';
import type { DevClock } from './dev-clock.ts';
import { countPending, nextDueAfter, type PendingWork } from './pending.ts';

/** The clock, as `/_dev/clock` shows it. */
export interface DevClockState {
  readonly object: 'dev_clock';
  readonly now: string;
  readonly frozen: boolean;
  /** What this call has run. */
  readonly work: WorkDone;
  /** What waits for its time, and when the first of it is due. */
  readonly pending: PendingWork & { readonly next_at: string | null };
}

export interface WorkDone {
  /** Attempts, whatever came of them. */
  readonly deliveries: number;
  readonly mails: number;
  /** What housekeeping has removed. */
  readonly rows_removed: number;
}

export interface Travel {
  /** Whether the clock may go back. What has happened by then keeps its times. */
  readonly force?: boolean | undefined;
  /** How long the work on the way may take, in ms of real time. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Moves the one clock of a server. On its way forwards it stops at each instant at which something falls due, and goes on
 * when that is done: what happens in an hour happens in the order of the hour.
 */
export interface TimeControl {
  /** In ms. */
  now(): number;
  read(): Promise<DevClockState>;
  /**
   * Stops it, here or at an instant in ms.
   * @throws {@link ApiError} UNPROCESSABLE when that is in its past; WORK_LEFT when the work on the way did not end
   */
  freeze(at?: number, travel?: Travel): Promise<DevClockState>;
  /** Sets it to an instant in ms. It throws as {@link freeze} does. */
  set(at: number, travel?: Travel): Promise<DevClockState>;
  /** Moves it forward by so many ms. It throws as {@link freeze} does. */
  advance(ms: number, travel?: Travel): Promise<DevClockState>;
  /** Lets it run on from where it stands. */
  resume(): Promise<DevClockState>;
  /** Returns it to the time of the machine, forwards or back, running. Objects keep the times that they have. */
  reset(): Promise<DevClockState>;
  /**
   * Waits until no work is due or under way.
   * @throws {@link ApiError} WORK_LEFT when that takes longer
   */
  idle(timeoutMs?: number): Promise<void>;
}

export interface TimeControlOptions {
  readonly db: Database;
  readonly clock: DevClock;
  /** Whether this process works on what is due. */
  readonly works: boolean;
  idle(signal: AbortSignal): Promise<void>;
  /** What was done so far, since the start. */
  done(): Omit<WorkDone, 'rows_removed'>;
  /** Removes old rows, and resolves to how many; null where this process does not. */
  readonly housekeep: (() => Promise<number>) | null;
}

/** How long work may take in one call, in ms, when it is not said. */
export const DEFAULT_TIMEOUT_MS = 30_000;
const HOUSEKEEPING_EVERY_MS = 3_600_000;

export function createTimeControl(options: TimeControlOptions): TimeControl {
  const { db, clock, works, housekeep } = options;
  let housekeptAt = clock.now();
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: two who move the clock at once would each find it where it should not be. */
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
        // One that was running has run on since.
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
    if (target >= now) return goForward(target, timeoutMs);
    if (!force) throw noWayBack(now, target);
    clock.moveTo(target);
    housekeptAt = target;
    return 0;
  }

  /** Resolves to how many old rows were removed in the end. */
  async function goForward(target: number, timeoutMs: number): Promise<number> {
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

function noWayBack(now: number, target: number): ApiError {
  return new ApiError(
    'UNPROCESSABLE',
    `The clock stands at ${isoTime(now)} and does not go back to ${isoTime(target)}: what has happened keeps its times. With "force": true it is set back all the same; best before anything is made`,
  );
}

function workLeft(now: number, { deliveries, mails, replays }: PendingWork, timeoutMs: number): ApiError {
  const left = [amount(deliveries, 'delivery'), amount(mails, 'mail'), amount(replays, 'replay')].filter(Boolean);
  const what = left.length > 0 ? `${left.join(', ')} due or under way` : 'work under way';
  return new ApiError(
    'WORK_LEFT',
    `After ${timeoutMs / 1000} s there is ${what}; the clock stands at ${isoTime(now)}. A receiver may hang: look at its deliveries, or give it longer with "timeout_ms"`,
  );
}

function amount(count: number, one: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${one}` : `${count} ${one.replace(/([^aeiou])y$/, '$1ie')}s`;
}
