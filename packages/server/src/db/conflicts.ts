import { setTimeout as wait } from 'node:timers/promises';
import { errorNumber } from './errors.ts';

const MAX_ATTEMPTS = 8;

/**
 * Error numbers after which the same work may succeed when it is repeated, because all of it was rolled back. They
 * stand for deadlocks and lock waits, certification failures of group replication and Galera, and write conflicts of
 * TiDB.
 */
const TRANSIENT = new Set([1213, 1205, 3101, 1180, 9007, 8022, 8028]);

/** Returns true if an error is a conflict with concurrent work, and not a fault. */
export function isConflict(error: unknown): boolean {
  return TRANSIENT.has(errorNumber(error));
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
