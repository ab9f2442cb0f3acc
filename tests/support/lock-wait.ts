import { select, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';

/** Waits until a number of transactions on MariaDB or MySQL wait for a lock. */
export async function expectLockWait(db: TestServer['db'], transactions = 1): Promise<void> {
  // In MySQL, innodb_trx lacks transactions whose statement contains bytes that are no text.
  const waits = "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";
  await expect
    .poll(async () => Number((await select<{ Value: string }>(db, waits))[0]?.Value), { interval: 250 })
    .toBeGreaterThanOrEqual(transactions);
}
