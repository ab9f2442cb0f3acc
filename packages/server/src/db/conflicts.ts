import { setTimeout as wait } from 'node:timers/promises';
import { errorNumber } from './errors.ts';

const MAX_ATTEMPTS = 8;

/**
 * Errors after which the same work may succeed when it is done again, since nothing of it was kept: deadlock and lock
 * wait, group replication and Galera certification, and the write conflicts of TiDB.
 */
const TRANSIENT = new Set([1213, 1205, 3101, 1180, 9007, 8022, 8028]);

/** Whether an error is a conflict with somebody else's work, and not a fault. */
export function isConflict(error: unknown): boolean {
  return TRANSIENT.has(errorNumber(error));
}

/** Does database work again as long as it ends in a conflict, some times over. The work is a whole transaction. */
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
