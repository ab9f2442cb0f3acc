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
let slot = randomInt(SLOTS);

/**
 * Holds one slot of a sandbox until the end of the transaction, so that no reset runs meanwhile. Comes before all other
 * statements of the transaction. The rows are written, because locks that only read are local to one node of a cluster
 * (decision 052). SQLite has one writer.
 */
export async function holdSandboxSlot(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  slot = (slot + 1) % SLOTS;
  await execute(db, `${ADD} (:tenantId, :slot, 1) ${AGAIN}`, { tenantId, slot }, transaction);
}

/** Holds all slots of a sandbox until the end of the transaction, so that no change of it runs meanwhile. */
export async function holdSandbox(db: Database, tenantId: string, transaction: Transaction): Promise<void> {
  if (db.kind === 'sqlite') return;
  const hold = () => execute(db, `${ADD} ${ADD_ALL} ${AGAIN}`, { tenantId }, transaction);
  await (db.isCluster ? onAllNodes(db, transaction, hold) : hold());
}

/**
 * Runs a statement of a transaction and sends its locks to all nodes of a Galera cluster at once (streaming
 * replication). Without that, each change that another node commits before this transaction rolls it back.
 */
async function onAllNodes(db: Database, transaction: Transaction, statement: () => Promise<unknown>): Promise<void> {
  const set = (assignment: string) => execute(db, `SET SESSION ${assignment}`, {}, transaction);
  await set("wsrep_trx_fragment_unit = 'statements', wsrep_trx_fragment_size = 1");
  const stop = () => set('wsrep_trx_fragment_size = 0');
  try {
    await statement();
  } catch (error) {
    // It fails as well if the connection is lost. The caller needs the first error.
    await stop().catch(() => undefined);
    throw error;
  }
  await stop();
}
