import { select, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';

/** Waits until a number of transactions on MariaDB or MySQL wait for a lock. */
export async function expectLockWait(db: TestServer['db'], transactions = 1): Promise<void> {
  const waiting = "SELECT trx_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
  // InnoDB does not refresh this table when it was read less than 100 ms ago.
  await expect
    .poll(async () => (await select(db, waiting)).length, { interval: 250 })
    .toBeGreaterThanOrEqual(transactions);
}
