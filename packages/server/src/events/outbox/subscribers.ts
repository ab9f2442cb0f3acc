import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import type { WebhookSubscriptionRow } from '../../db/tables/webhook-subscriptions.ts';

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
  const where = { tenant_id: tenantId };
  const rows: WebhookSubscriptionRow[] = await db.models.webhookSubscription.findAll({ where, transaction, raw: true });
  const subscribers = new Map<string, Subscriber>();
  for (const [endpointId, own] of Map.groupBy(rows, (row) => row.endpoint_id)) {
    const types = new Set(own.map((row) => row.event_type));
    for (const { shard } of own) subscribers.set(endpointId, { endpointId, shard, types });
  }
  return subscribers;
}
