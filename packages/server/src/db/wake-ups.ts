import type { Transaction } from 'sequelize';
import { afterCommit } from './after-commit.ts';
import type { Database } from './database.ts';

/** Functions that wake the background work of this process. A lost wake-up only delays the work. */
export interface WakeUps {
  /** Deliveries may be due now. */
  deliveries(): void;
  /** Mails may be due now. */
  mails(): void;
}

const known = new WeakMap<Database, WakeUps>();

/** Sets the wake-ups of the work on a database. */
export function setWakeUps(db: Database, wakeUps: WakeUps): void {
  known.set(db, wakeUps);
}

/** Wakes work after the commit of a transaction that made rows due. */
export function wakeAfterCommit(db: Database, transaction: Transaction, work: keyof WakeUps): void {
  afterCommit(transaction, () => known.get(db)?.[work]());
}
