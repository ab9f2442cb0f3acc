import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { select } from '../../db/sql.ts';

/** An enabled endpoint with its subscriptions. */
export interface Subscriber {
  readonly endpointId: string;
  readonly shard: number;
  /** Event types, or `*` for all. */
  readonly types: ReadonlySet<string>;
}

/** Reads the enabled endpoints of a tenant, by id. */
export async function subscribersOf(
  db: Database,
  transaction: Transaction,
  tenantId: string,
): Promise<Map<string, Subscriber>> {
  const rows = await select<{ endpoint_id: string; event_type: string; shard: number }>(
    db,
    'SELECT endpoint_id, event_type, shard FROM webhook_subscriptions WHERE tenant_id = :tenantId',
    { tenantId },
    transaction,
  );
  const subscribers = new Map<string, Subscriber>();
  for (const [endpointId, own] of Map.groupBy(rows, (row) => row.endpoint_id)) {
    const types = new Set(own.map((row) => row.event_type));
    for (const { shard } of own) subscribers.set(endpointId, { endpointId, shard, types });
  }
  return subscribers;
}
