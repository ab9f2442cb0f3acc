import { LIMITS, timeOfId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { execute, selectOne } from '../../db/sql.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { shardOf } from '../../kernel/ids.ts';
import { SHARDS } from '../outbox/outbox.ts';

/** The columns that say for how long an endpoint was disabled. */
export type Missed = Pick<WebhookEndpointRow, 'missed_since' | 'missed_until'>;

/** Since when, in ms, events were not sent that can still be replayed; null when there are none. */
export function missedSince({ missed_since, missed_until }: Missed, now: number): number | null {
  const isOver = missed_until !== null && missed_until < now - LIMITS.webhook.eventRetentionSeconds * 1000;
  return isOver ? null : missed_since;
}

/**
 * From now on nothing is sent, not even what is still due: it is missed since the oldest event of that. What was missed
 * before, and was not replayed, is still missed.
 */
export async function missingFrom(
  db: Database,
  transaction: Transaction,
  endpoint: Missed & { readonly id: string },
  now: number,
): Promise<{ readonly missed_since: number; readonly missed_until: null }> {
  const due = await selectOne<{ oldest: string | null }>(
    db,
    'SELECT MIN(event_id) AS oldest FROM webhook_deliveries WHERE queue_shard = :shard AND endpoint_id = :id',
    { id: endpoint.id, shard: shardOf(endpoint.id, SHARDS) },
    transaction,
  );
  const oldest = due?.oldest ? timeOfId(due.oldest) : now;
  return { missed_since: Math.min(missedSince(endpoint, now) ?? now, oldest, now), missed_until: null };
}

/** From now on events are sent again. */
export function missingUntil({ missed_since }: Missed, now: number): Missed {
  return { missed_since, missed_until: missed_since === null ? null : now };
}

/**
 * A replay of all that did not arrive since an instant (ms) has been made: enabled endpoints that have missed nothing
 * earlier have nothing missed any more. `endpointId` null: all of the tenant's.
 */
export async function clearMissed(
  db: Database,
  transaction: Transaction,
  given: { readonly tenantId: string; readonly endpointId: string | null; readonly since: number },
): Promise<void> {
  await execute(
    db,
    `UPDATE webhook_endpoints SET missed_since = NULL, missed_until = NULL
     WHERE tenant_id = :tenantId${given.endpointId === null ? '' : ' AND id = :endpointId'}
       AND status = 'enabled' AND missed_since >= :since`,
    given,
    transaction,
  );
}
