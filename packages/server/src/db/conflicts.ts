import { setTimeout as wait } from 'node:timers/promises';
import { classOf } from './errors.ts';

const MAX_ATTEMPTS = 12;
/** Maximum wait between two attempts. Without it, the last one would be up to 10 s. */
const MAX_WAIT_MS = 1_000;
/** No attempt begins later. A conflict can be a lock wait of several seconds, with a connection of the pool. */
const GIVE_UP_MS = 30_000;

/** Returns true if an error is a conflict with concurrent work, and not a fault. */
export function isConflict(error: unknown): boolean {
  return classOf(error) === 'conflict';
}

/** Repeats database work while it ends in a conflict, within limits of number and time. The work is a whole transaction. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isGivenUp = attempt >= MAX_ATTEMPTS || performance.now() - from > GIVE_UP_MS;
      if (isGivenUp || !isConflict(error)) throw error;
      await wait(Math.random() * Math.min(5 * 2 ** attempt, MAX_WAIT_MS));
    }
  }
}
