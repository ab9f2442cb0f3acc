/** Time and chance, as values: tests give their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` after `milliseconds`, unless the function that it returns is called before. */
  after(milliseconds: number, run: () => void): () => void;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** A random UUID, for Idempotency-Key. */
  uuid(): string;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
  random: Math.random,
  uuid: () => globalThis.crypto.randomUUID(),
};

/** The longest time a timer can take; anything above means no limit. */
export const MAX_TIMER = 2 ** 31 - 1;

/** Resolves after `milliseconds`. */
export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => clock.after(milliseconds, resolve));
}
