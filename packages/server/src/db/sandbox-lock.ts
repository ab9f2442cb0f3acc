import { randomInt } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute } from './sql.ts';

/** Rows of a sandbox. As many of its changes run at the same time at most. */
const SLOTS = 32;

const ADD = 'INSERT INTO sandbox_locks (tenant_id, slot, changes) VALUES';
const AGAIN = 'ON DUPLICATE KEY UPDATE changes = changes + 1';
const ADD_ALL = Array.from({ length: SLOTS }, (_, slot) => `(:tenantId, ${slot}, 1)`).join(', ');

/** Changes of one process take the slots in turn, so that they rarely wait for each other. */
let nextSlot = randomInt(SLOTS);

/**
 * Holds one slot of a sandbox until the end of the transaction, so that no reset runs meanwhile. Comes before all other
 * statements of the transaction. The rows are written, because locks that only read are local to one node of a cluster
 * (decision 052). SQLite has one writer.
 */
export async function holdSandboxSlot(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  nextSlot = (nextSlot + 1) % SLOTS;
  await holdSlot(db, tenantId, transaction, nextSlot);
}

/**
 * Holds all slots of a sandbox until the end of the transaction, so that no change of it runs meanwhile. A transaction
 * that holds one slot already can deadlock with a change.
 */
export async function holdSandbox(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  if (db.isCluster) {
    await onAllNodes(db, transaction, async () => {
      for (let slot = 0; slot < SLOTS; slot++) await holdSlot(db, tenantId, transaction, slot);
    });
  } else {
    await execute(db, `${ADD} ${ADD_ALL} ${AGAIN}`, { tenantId }, transaction);
  }
}

async function holdSlot(db: Database, tenantId: string, transaction: Transaction, slot: number): Promise<void> {
  await execute(db, `${ADD} (:tenantId, :slot, 1) ${AGAIN}`, { tenantId, slot }, transaction);
}

/**
 * Runs statements of a transaction and sends the locks of each to all nodes of a Galera cluster at once (streaming
 * replication). A change that another node commits rolls this transaction back only if it meets a lock that has not
 * been sent, so each statement takes one lock.
 */
async function onAllNodes(db: Database, transaction: Transaction, statements: () => Promise<void>): Promise<void> {
  const set = (assignment: string) => execute(db, `SET SESSION ${assignment}`, {}, transaction);
  await set("wsrep_trx_fragment_unit = 'statements', wsrep_trx_fragment_size = 1");
  const stop = () => set('wsrep_trx_fragment_size = 0');
  try {
    await statements();
    await stop();
  } catch (error) {
    // A transaction that was rolled back meanwhile can answer a statement with the conflict instead of running it. The
    // caller needs the first error.
    await stop()
      .catch(stop)
      .catch(() => undefined);
    throw error;
  }
}
