import { select, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';

interface Thread {
  readonly Id: number;
  readonly db: string | null;
  readonly Info: string | null;
}

/** Waits until a number of transactions of this database on MariaDB or MySQL wait for a lock. */
export async function expectLockWait(db: TestServer['db'], transactions = 1): Promise<void> {
  const database = db.sequelize.getDatabaseName();
  let before: readonly string[] = [];
  // In MySQL, innodb_trx lacks transactions whose statement contains bytes that are no text. The status counts the waits in all
  // databases of the server, so the statements of this one must also last.
  const waiting = async (): Promise<number> => {
    const [status] = await select<{ Value: string }>(db, "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'");
    const threads = await select<Thread>(db, 'SHOW FULL PROCESSLIST');
    const running = threads
      .filter((thread) => thread.db === database && thread.Info !== null && !thread.Info.startsWith('SHOW'))
      .map(({ Id, Info }) => `${Id} ${Info}`);
    const lasting = running.filter((one) => before.includes(one));
    before = running;
    return Math.min(Number(status?.Value), lasting.length);
  };
  await expect.poll(waiting, { interval: 250 }).toBeGreaterThanOrEqual(transactions);
}
