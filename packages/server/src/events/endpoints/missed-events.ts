import { LIMITS, timeOfId } from '@plat/contract';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
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
  const where = { queue_shard: shardOf(endpoint.id, SHARDS), endpoint_id: endpoint.id };
  const due: string | null = await db.models.webhookDelivery.min('event_id', { where, transaction });
  const oldest = due === null ? now : timeOfId(due);
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
  const { tenantId, endpointId, since } = given;
  const where = {
    tenant_id: tenantId,
    ...(endpointId === null ? {} : { id: endpointId }),
    status: 'enabled' as const,
    missed_since: { [Op.gte]: since },
  };
  await db.models.webhookEndpoint.update({ missed_since: null, missed_until: null }, { where, transaction });
}
