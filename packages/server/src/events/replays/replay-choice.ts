import type { WebhookReplaySelect } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { select, usingIndex } from '../../db/sql.ts';
import type { WebhookDeliveryRow } from '../../db/tables/webhook-deliveries.ts';
import type { Subscriber } from '../outbox/subscribers.ts';
import type { EventInRange } from './replay-window.ts';

/** An event that is to go to an endpoint again. */
export interface Chosen {
  readonly event: EventInRange;
  readonly subscriber: Subscriber;
}

/** What became of an event at an endpoint so far. */
interface Standing {
  isPending: boolean;
  failedAt: number;
  succeededAt: number;
}

/** Those of the events that a replay sends to endpoints which want them today, event after event. */
export async function chooseDeliveries(
  db: Database,
  transaction: Transaction,
  tenantId: string,
  selection: WebhookReplaySelect,
  events: readonly EventInRange[],
  subscribers: readonly Subscriber[],
): Promise<Chosen[]> {
  const wanted = events.flatMap((event) =>
    subscribers
      .filter(({ types }) => types.has(event.type) || types.has('*'))
      .map((subscriber): Chosen => ({ event, subscriber })),
  );
  if (wanted.length === 0) return [];
  const standings = await standingsOf(db, transaction, tenantId, events, subscribers);
  return wanted.filter(({ event, subscriber }) =>
    isChosen(selection, standings.get(keyOf(event.id, subscriber.endpointId))),
  );
}

/** `failed`: its last delivery ended failed, none is pending, none succeeded after. `missed`: there is none at all. */
function isChosen(selection: WebhookReplaySelect, standing: Standing | undefined): boolean {
  if (!standing) return selection !== 'failed';
  const isFailed = !standing.isPending && standing.failedAt > standing.succeededAt;
  return isFailed && selection !== 'missed';
}

/** By the instants at which attempts ended, which are the database's: ids are made by the clocks of many machines. */
async function standingsOf(
  db: Database,
  transaction: Transaction,
  tenantId: string,
  events: readonly EventInRange[],
  subscribers: readonly Subscriber[],
): Promise<Map<string, Standing>> {
  const rows = await select<Pick<WebhookDeliveryRow, 'event_id' | 'endpoint_id' | 'status' | 'updated_at'>>(
    db,
    // The optimizer might rather read all that an endpoint ever got.
    `SELECT event_id, endpoint_id, status, updated_at
     FROM webhook_deliveries ${usingIndex(db, 'webhook_deliveries_event')}
     WHERE tenant_id = :tenantId AND event_id IN (:eventIds) AND endpoint_id IN (:endpointIds)`,
    { tenantId, eventIds: events.map(({ id }) => id), endpointIds: subscribers.map(({ endpointId }) => endpointId) },
    transaction,
  );
  const standings = new Map<string, Standing>();
  for (const { event_id, endpoint_id, status, updated_at } of rows) {
    const key = keyOf(event_id, endpoint_id);
    const standing = standings.get(key) ?? { isPending: false, failedAt: -1, succeededAt: -1 };
    if (status === 'pending') standing.isPending = true;
    if (status === 'failed') standing.failedAt = Math.max(standing.failedAt, updated_at);
    if (status === 'succeeded') standing.succeededAt = Math.max(standing.succeededAt, updated_at);
    standings.set(key, standing);
  }
  return standings;
}

function keyOf(eventId: string, endpointId: string): string {
  return `${eventId} ${endpointId}`;
}
