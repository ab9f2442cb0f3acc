import { setTimeout as wait } from 'node:timers/promises';
import { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { errorNumber } from './errors.ts';

const MAX_ATTEMPTS = 8;

/**
 * Errors after which the whole transaction may succeed when it is run again: deadlock and lock wait, group
 * replication and Galera certification, and the write conflicts of TiDB.
 */
const TRANSIENT = new Set([1213, 1205, 3101, 1180, 9007, 8022, 8028]);

/**
 * Runs a function in one transaction and commits it. It is the only opener of transactions. On a transient
 * conflict, at the commit too, the whole function runs again: it must do nothing but database work through `tx`.
 */
export async function unitOfWork<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work);
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !TRANSIENT.has(errorNumber(error))) throw error;
      await wait(Math.random() * 5 * 2 ** attempt);
    }
  }
}

async function runOnce<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = await db.sequelize.transaction({ type: Transaction.TYPES.IMMEDIATE });
  let result: T;
  try {
    result = await work(tx);
  } catch (error) {
    // A rollback that fails leaves a dead connection; what went wrong first is the news.
    await tx.rollback().catch(() => undefined);
    throw error;
  }
  await tx.commit();
  return result;
}
