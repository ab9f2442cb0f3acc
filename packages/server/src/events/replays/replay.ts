import type { AnyEventType } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { noLaterThanNow } from '../../db/database-clock.ts';
import { select } from '../../db/sql.ts';
import { newId } from '../../kernel/ids.ts';
import { insertDeliveries } from '../outbox/new-deliveries.ts';

interface EventToReplay {
  readonly tenantId: string;
  readonly id: string;
  readonly type: AnyEventType;
  /** Replays to this endpoint only. */
  readonly endpointId: string | undefined;
  readonly now: number;
  /** The request that replays it. */
  readonly requestId: string | null;
}

/**
 * Makes an event due again from attempt 1, at each endpoint that is subscribed to it now. Earlier deliveries do not change.
 * Resolves to the ids of the new deliveries, newest first.
 */
export async function scheduleReplay(
  db: Database,
  transaction: Transaction,
  { tenantId, id: eventId, type, endpointId, now, requestId }: EventToReplay,
): Promise<readonly string[]> {
  const subscriptions = await select<{ endpoint_id: string; shard: number }>(
    db,
    `SELECT endpoint_id, shard FROM webhook_subscriptions
     WHERE tenant_id = :tenantId AND event_type IN (:type, '*')${endpointId === undefined ? '' : ' AND endpoint_id = :endpointId'}
     ORDER BY endpoint_id`,
    { tenantId, type, endpointId: endpointId ?? null },
    transaction,
  );
  const deliveries = subscriptions.map(({ endpoint_id, shard }) => {
    return { id: newId('webhook_delivery', now), eventId, type, endpointId: endpoint_id, shard };
  });
  await insertDeliveries(db, transaction, deliveries, {
    tenantId,
    due: noLaterThanNow(db, ':at'),
    at: now,
    replayedBy: requestId,
  });
  return deliveries.map(({ id }) => id).reverse();
}
