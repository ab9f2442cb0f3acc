import { select, selectOne, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';
import type { Receiver } from './receiver.ts';

/** Timeout in ms. Generous: other stories run at the same time, and a lease may have to expire first. */
const ALL_WITHIN_MS = 120_000;

/** Waits until no delivery is pending in any process and every event of the database has its outcome. */
export async function waitUntilSent({ db }: Pick<TestServer, 'db'>): Promise<void> {
  const sql = "SELECT COUNT(*) AS pending FROM webhook_deliveries WHERE status = 'pending'";
  const pending = async () => (await selectOne<{ pending: number }>(db, sql))?.pending;
  await expect.poll(pending, { timeout: ALL_WITHIN_MS, interval: 100 }).toBe(0);
}

/** Returns how often each event arrived, by its id. */
export function arrivals({ received }: Pick<Receiver, 'received'>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of received) {
    const id = String(headers['x-platform-event-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Returns the ids of all events in the database. */
export async function eventIds({ db }: Pick<TestServer, 'db'>): Promise<readonly string[]> {
  const rows = await select<{ id: string }>(db, 'SELECT id FROM events ORDER BY id');
  return rows.map(({ id }) => id);
}
