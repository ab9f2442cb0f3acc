import type { EventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../db/database.ts';
import { databaseNow } from '../db/database-clock.ts';
import { execute, select } from '../db/sql.ts';
import { newId } from '../kernel/ids.ts';

interface EventToReplay {
  readonly tenantId: string;
  readonly id: string;
  readonly type: EventType;
  /** Only to this endpoint. */
  readonly endpointId: string | undefined;
  readonly now: number;
}

/**
 * Makes an event due again from attempt 1, at every endpoint that wants it today. What was delivered before stays as
 * it is. Resolves to the ids of the new deliveries, the newest first.
 */
export async function scheduleReplay(
  db: Database,
  transaction: Transaction,
  { tenantId, id: eventId, type, endpointId, now }: EventToReplay,
): Promise<readonly string[]> {
  const subscriptions = await select<{ endpoint_id: string; shard: number }>(
    db,
    `SELECT endpoint_id, shard FROM webhook_subscriptions
     WHERE tenant_id = :tenantId AND event_type IN (:type, '*')${endpointId === undefined ? '' : ' AND endpoint_id = :endpointId'}
     ORDER BY endpoint_id`,
    { tenantId, type, endpointId: endpointId ?? null },
    transaction,
  );
  const due = `${db.kind === 'sqlite' ? 'MIN' : 'LEAST'}(:now, ${databaseNow(db)})`;
  const ids: string[] = [];
  for (const { endpoint_id, shard } of subscriptions) {
    const id = newId('webhook_delivery', now);
    ids.unshift(id);
    await execute(
      db,
      `INSERT INTO webhook_deliveries
         (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
       VALUES (:tenantId, :id, :eventId, :type, :endpoint_id, 1, 'pending', :shard, ${due}, :now, :now)`,
      { tenantId, id, eventId, type, endpoint_id, shard, now },
      transaction,
    );
  }
  return ids;
}
