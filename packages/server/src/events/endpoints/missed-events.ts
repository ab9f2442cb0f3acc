import { LIMITS, timeOfId } from '@plat/contract';
import { Op, type Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { selectOne, usingIndex } from '../../db/sql.ts';
import type { Missed, WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { lowestIdAt, shardOf } from '../../kernel/ids.ts';
import { SHARDS } from '../outbox/outbox.ts';

/** Returns the time of the first missed event that can still be replayed, in ms; null when there is none. */
export function missedSince({ missed_since, missed_until }: Missed, now: number): number | null {
  const isOver = missed_until !== null && missed_until < now - LIMITS.webhook.eventRetentionSeconds * 1000;
  return isOver ? null : missed_since;
}

/**
 * Returns the columns of an endpoint that is being disabled. Its due deliveries are not sent, so it misses events from the
 * oldest of them. Events that were missed before and not replayed stay missed, and those that an unfinished replay has not
 * reached.
 */
export async function missingFrom(
  db: Database,
  transaction: Transaction,
  endpoint: Missed & { readonly tenantId: string; readonly id: string },
  now: number,
): Promise<{ readonly missed_since: number; readonly missed_until: null }> {
  const where = { queue_shard: shardOf(endpoint.id, SHARDS), endpoint_id: endpoint.id };
  const due: string | null = await db.models.webhookDelivery.min('event_id', { where, transaction });
  const oldest = due === null ? now : timeOfId(due);
  const unreached = await unreachedSince(db, transaction, endpoint);
  return { missed_since: Math.min(missedSince(endpoint, now) ?? now, oldest, unreached, now), missed_until: null };
}

/** Returns the time up to which unfinished replays of missed events have come at an endpoint, in ms; Infinity without one. */
async function unreachedSince(
  db: Database,
  transaction: Transaction,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
): Promise<number> {
  const jobs: { readonly walks: string }[] = await db.models.webhookReplay.findAll({
    attributes: ['walks'],
    where: {
      tenant_id: tenantId,
      status: ['pending', 'running'],
      selection: { [Op.ne]: 'failed' },
      event_types: null,
    },
    transaction,
    raw: true,
  });
  const walks = jobs.flatMap((job) => JSON.parse(job.walks) as { endpoint_id: string; cursor: string }[]);
  return Math.min(...walks.filter(({ endpoint_id }) => endpoint_id === id).map(({ cursor }) => timeOfId(cursor)));
}

/** Time that a change may take from its beginning to its commit, in ms. */
const SETTLE_MS = 60_000;

/**
 * Returns the columns of an endpoint that is being enabled. A change that began before the endpoint was disabled and was
 * committed afterwards has an event from before, which was missed too.
 */
export async function missingUntil(
  db: Database,
  transaction: Transaction,
  endpoint: Missed & Pick<WebhookEndpointRow, 'id' | 'events' | 'created_at'> & { readonly tenantId: string },
  now: number,
): Promise<Missed> {
  const { tenantId, id: endpointId, missed_since: since, created_at: createdAt } = endpoint;
  if (since === null) return { missed_since: null, missed_until: null };
  const types = JSON.parse(endpoint.events) as string[];
  const first = await selectOne<{ id: string }>(
    db,
    `SELECT id FROM events
     WHERE tenant_id = :tenantId AND id >= :from AND id < :upTo
     ${types.includes('*') ? '' : 'AND type IN (:types)'} AND NOT EXISTS (
       SELECT 1 FROM webhook_deliveries d ${usingIndex(db, 'webhook_deliveries_event')}
       WHERE d.tenant_id = :tenantId AND d.event_id = events.id AND d.endpoint_id = :endpointId AND d.status <> 'failed'
     )
     ORDER BY id LIMIT 1`,
    {
      tenantId,
      endpointId,
      types,
      from: lowestIdAt('event', Math.max(createdAt, since - SETTLE_MS)),
      upTo: lowestIdAt('event', since),
    },
    transaction,
  );
  return { missed_since: first ? timeOfId(first.id) : since, missed_until: now };
}

/**
 * Clears the missed period of the enabled ones of some endpoints, before a replay of all events since `since`, in ms.
 * Endpoints that missed earlier events keep it. Resolves to the cleared periods by endpoint.
 */
export async function clearMissed(
  db: Database,
  transaction: Transaction,
  given: { readonly tenantId: string; readonly endpointIds: readonly string[]; readonly since: number },
): Promise<ReadonlyMap<string, Missed>> {
  const { tenantId, endpointIds, since } = given;
  const where = {
    tenant_id: tenantId,
    id: [...endpointIds],
    status: 'enabled' as const,
    missed_since: { [Op.gte]: since },
  };
  const attributes = ['id', 'missed_since', 'missed_until'];
  const rows: (Missed & { readonly id: string })[] = await db.models.webhookEndpoint.findAll({
    ...{ attributes, where, transaction, lock: true, raw: true },
  });
  await db.models.webhookEndpoint.update({ missed_since: null, missed_until: null }, { where, transaction });
  return new Map(rows.map(({ id, missed_since, missed_until }) => [id, { missed_since, missed_until }]));
}

/**
 * Restores the missed period that a replay cleared, for an endpoint at which the replay ended early. It begins at `from`,
 * the time that the replay has come to, in ms. An endpoint that missed events again keeps the end of that period.
 */
export async function restoreMissed(
  db: Database,
  transaction: Transaction,
  endpoint: { readonly tenantId: string; readonly id: string },
  { missed_since: since, missed_until }: Missed,
  from: number,
): Promise<void> {
  if (since === null) return;
  const missed_since = Math.max(since, from);
  const own = { tenant_id: endpoint.tenantId, id: endpoint.id };
  const update = (columns: object, where: object) =>
    db.models.webhookEndpoint.update(columns, { where: { ...own, ...where }, transaction });
  await update({ missed_since }, { missed_since: { [Op.gt]: missed_since } });
  await update({ missed_since, missed_until }, { missed_since: null });
}
