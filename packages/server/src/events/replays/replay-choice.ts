import type { WebhookReplaySelect } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { select, usingIndex } from '../../db/sql.ts';
import type { WebhookDeliveryRow } from '../../db/tables/webhook-deliveries.ts';
import type { Subscriber } from '../outbox/subscribers.ts';
import type { EventInRange } from './replay-window.ts';

/** An event to be sent to an endpoint again. */
export interface Chosen {
  readonly event: EventInRange;
  readonly subscriber: Subscriber;
}

/** Results of an event's deliveries to an endpoint. */
interface DeliveryHistory {
  isPending: boolean;
  failedAt: number;
  succeededAt: number;
}

/** Selects the deliveries of a replay, for endpoints that are subscribed now, event after event. */
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
  const histories = await historiesOf(db, transaction, tenantId, events, subscribers);
  return wanted.filter(({ event, subscriber }) =>
    isChosen(selection, histories.get(keyOf(event.id, subscriber.endpointId))),
  );
}

/** `failed`: its last delivery ended failed, none is pending, none succeeded after. `missed`: there is none at all. */
function isChosen(selection: WebhookReplaySelect, history: DeliveryHistory | undefined): boolean {
  if (!history) return selection !== 'failed';
  const isFailed = !history.isPending && history.failedAt > history.succeededAt;
  return isFailed && selection !== 'missed';
}

/** Compares the ends of attempts by the database's clock: ids contain the clocks of several machines. */
async function historiesOf(
  db: Database,
  transaction: Transaction,
  tenantId: string,
  events: readonly EventInRange[],
  subscribers: readonly Subscriber[],
): Promise<Map<string, DeliveryHistory>> {
  const rows = await select<Pick<WebhookDeliveryRow, 'event_id' | 'endpoint_id' | 'status' | 'updated_at'>>(
    db,
    // The optimizer might otherwise read all deliveries of an endpoint.
    `SELECT event_id, endpoint_id, status, updated_at
     FROM webhook_deliveries ${usingIndex(db, 'webhook_deliveries_event')}
     WHERE tenant_id = :tenantId AND event_id IN (:eventIds) AND endpoint_id IN (:endpointIds)`,
    { tenantId, eventIds: events.map(({ id }) => id), endpointIds: subscribers.map(({ endpointId }) => endpointId) },
    transaction,
  );
  const histories = new Map<string, DeliveryHistory>();
  for (const { event_id, endpoint_id, status, updated_at } of rows) {
    const key = keyOf(event_id, endpoint_id);
    const history = histories.get(key) ?? { isPending: false, failedAt: -1, succeededAt: -1 };
    if (status === 'pending') history.isPending = true;
    if (status === 'failed') history.failedAt = Math.max(history.failedAt, updated_at);
    if (status === 'succeeded') history.succeededAt = Math.max(history.succeededAt, updated_at);
    histories.set(key, history);
  }
  return histories;
}

function keyOf(eventId: string, endpointId: string): string {
  return `${eventId} ${endpointId}`;
}
