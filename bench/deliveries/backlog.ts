import type { Connection, RowDataPacket } from 'mysql2/promise';
import { newId } from '../lib/ids.ts';

const ROWS_A_STATEMENT = 1000;

interface Subscription extends RowDataPacket {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly shard: number;
}

/** Endpoints and tenants of the deliveries. */
export async function subscriptionsOf(connection: Connection): Promise<readonly Subscription[]> {
  const [rows] = await connection.query<Subscription[]>(
    'SELECT tenant_id, endpoint_id, shard FROM webhook_subscriptions',
  );
  return rows;
}

/**
 * Commits events with one due delivery each, to the endpoints in turn. `all-at-once`: as after a time without a
 * dispatcher, so that only the dispatcher is measured.
 */
export async function commitBacklog(
  connection: Connection,
  subscriptions: readonly Subscription[],
  count: number,
  how: 'all-at-once' | 'bit-by-bit' = 'all-at-once',
): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, n) => {
    const to = subscriptions[n % subscriptions.length];
    if (!to) throw new Error('there are no endpoints to deliver to');
    const event = newId('evt', now);
    return {
      event: [to.tenant_id, event, 'client.created', now, eventBody(event, to.tenant_id, now)],
      delivery: [
        ...[to.tenant_id, newId('del', now), event, 'client.created', to.endpoint_id, 1, 'pending'],
        ...[to.shard, now, now, now],
      ],
    };
  });
  await connection.beginTransaction();
  for (let first = 0; first < count; first += ROWS_A_STATEMENT) {
    if (first > 0 && how === 'bit-by-bit') {
      await connection.commit();
      await connection.beginTransaction();
    }
    const some = rows.slice(first, first + ROWS_A_STATEMENT);
    await connection.query('INSERT INTO events (tenant_id, id, type, created, payload) VALUES ?', [
      some.map(({ event }) => event),
    ]);
    await connection.query(
      `INSERT INTO webhook_deliveries (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard,
         scheduled_at, created_at, updated_at) VALUES ?`,
      [some.map(({ delivery }) => delivery)],
    );
  }
  await connection.commit();
}

/** Returns true when every delivery has its outcome. */
export async function isQueueEmpty(connection: Connection): Promise<boolean> {
  const [rows] = await connection.query<RowDataPacket[]>(
    'SELECT 1 FROM webhook_deliveries WHERE queue_shard >= 0 LIMIT 1',
  );
  return rows.length === 0;
}

/** Returns the number of failed deliveries; it must be 0. */
export async function countUnsuccessful(connection: Connection): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `SELECT COUNT(*) AS count FROM webhook_deliveries WHERE status <> 'succeeded'`,
  );
  return Number(row?.['count']);
}

/** Body of an event about a client, as stored and sent. */
export function eventBody(id: string, tenantId: string, at: number): string {
  const created = new Date(at).toISOString();
  const client = {
    object: 'client',
    id: 'cli_01k9zq3v5h6x8m2n4p7r000001',
    name: 'Harbour Coffee Roasters',
    status: 'active',
    slug: 'harbour-coffee-1',
    custom_domain: null,
    created_at: created,
    updated_at: created,
  };
  return JSON.stringify({ id, object: 'event', type: 'client.created', created, tenant_id: tenantId, data: client });
}
