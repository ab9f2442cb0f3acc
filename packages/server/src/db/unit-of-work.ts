import { Transaction } from 'sequelize';
import { count } from '../kernel/meter.ts';
import { traced } from '../kernel/trace.ts';
import { callAfterCommit } from './after-commit.ts';
import { isConflict, repeatOnConflict } from './conflicts.ts';
import type { Database } from './database.ts';
import { refusalOf } from './short-transactions.ts';

/**
 * Runs a function in one transaction and commits it. It is the only opener of transactions. On a transient conflict, at
 * the commit too, the whole function runs again. It must do nothing but database work through `tx`.
 */
export function unitOfWork<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return repeatOnConflict(() => traced('transaction', () => runOnce(db, work)));
}

async function runOnce<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = await db.sequelize.transaction({ type: Transaction.TYPES.IMMEDIATE }).catch(failed);
  let result: T;
  try {
    result = await work(tx);
  } catch (error) {
    // A failed rollback means a lost connection. The caller needs the first error.
    await tx.rollback().catch(() => undefined);
    countRun(isConflict(error) ? 'repeated' : 'refused');
    throw error;
  }
  await tx.commit().catch(failed);
  const refusal = refusalOf(tx);
  if (refusal) {
    countRun(isConflict(refusal) ? 'repeated' : 'failed');
    throw refusal;
  }
  countRun('committed');
  callAfterCommit(tx);
  return result;
}

/** The database did not begin the transaction, or the result of its commit is unknown. */
function failed(error: unknown): never {
  countRun(isConflict(error) ? 'repeated' : 'failed');
  throw error;
}

function countRun(outcome: 'committed' | 'repeated' | 'refused' | 'failed'): void {
  count('plat_db_transactions_total', { outcome });
}
