import { setTimeout as wait } from 'node:timers/promises';
import { classOf } from './errors.ts';

const MAX_ATTEMPTS = 8;

/** Returns true if an error is a conflict with concurrent work, and not a fault. */
export function isConflict(error: unknown): boolean {
  return classOf(error) === 'conflict';
}

/** Repeats database work while it ends in a conflict, up to a maximum. The work is a whole transaction. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isConflict(error)) throw error;
      await wait(Math.random() * 5 * 2 ** attempt);
    }
  }
}
