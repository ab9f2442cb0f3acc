/** Sources of time and randomness, which tests can replace. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
  /** Calls `run` after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns a random UUID for an Idempotency-Key. */
  uuid(): string;
}

/**
 * Longest delay that a timer supports in milliseconds; `setTimeout` takes a longer one for 1 ms. A longer time-out means
 * no limit.
 */
export const MAX_TIMER = 2 ** 31 - 1;

/** The clock of the system. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    // Node.js warns of a negative delay, which a clock that was set forward causes.
    const timer = setTimeout(run, Math.max(0, Math.min(milliseconds, MAX_TIMER)));
    return () => clearTimeout(timer);
  },
  random: Math.random,
  uuid: () => globalThis.crypto.randomUUID(),
};

/** Resolves after `milliseconds`. */
export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => clock.after(milliseconds, resolve));
}
