import { type EventOf, type EventPayloads, type EventType, timeOfId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { noLaterThanNow } from '../../db/database-clock.ts';
import { execute, selectOne } from '../../db/sql.ts';
import { insertInto } from '../../db/statements.ts';
import { EVENTS, type EventRow } from '../../db/tables/events.ts';
import { isoTime } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { INSERT_PENDING } from './new-deliveries.ts';

/** How many shards the delivery queue has; an endpoint's deliveries are all in one. */
export const SHARDS = 64;

/** How many characters of an event's end stand in the ids of its deliveries. */
const END = 8;

const INSERT_EVENT = insertInto(EVENTS);

interface NewEvent<T extends EventType> {
  readonly tenantId: string;
  readonly type: T;
  readonly data: EventPayloads[T];
  /** The instant of the change, in ms: `created`, and the time in the event's id, unless an earlier event has a later one. */
  readonly at: number;
}

/**
 * Writes an event and one due delivery for each endpoint of the tenant that wants it, in the transaction of the
 * change: these rows are the outbox. Resolves to the number of deliveries.
 */
export async function recordEvent<T extends EventType>(
  db: Database,
  transaction: Transaction,
  { tenantId, type, data, at: changedAt }: NewEvent<T>,
): Promise<number> {
  const id = await nextId(db, transaction, tenantId, changedAt);
  const at = timeOfId(id);
  const event: EventOf<T> = { id, object: 'event', type, created: isoTime(at), tenant_id: tenantId, data };
  const row: EventRow = { tenant_id: tenantId, id, type, created: at, payload: JSON.stringify(event) };
  await execute(db, INSERT_EVENT, row, transaction);
  return scheduleDeliveries(db, transaction, { tenantId, id, type, at });
}

/**
 * An id behind those of all events that the tenant has: whatever was committed before sorts before, though it be by
 * another process, whose clock is ahead. Nothing is locked, so changes that do not wait for each other anyway still do
 * not; of two that go on at once either may be first. See docs/decisions/023-order-of-events.md.
 */
async function nextId(db: Database, transaction: Transaction, tenantId: string, at: number): Promise<string> {
  // MAX is one look at an index by rule, whatever the optimizer thinks of the table.
  const sql = 'SELECT MAX(id) AS id FROM events WHERE tenant_id = :tenantId';
  const last = (await selectOne<{ id: string | null }>(db, sql, { tenantId }, transaction))?.id;
  const id = newId('event', at);
  if (!last || at > timeOfId(last)) return id;
  // Of one instant are only those that this process counts up: their ends, which the deliveries have, differ in order.
  const isNext = id > last && id.slice(0, -END) === last.slice(0, -END);
  return isNext ? id : newId('event', timeOfId(last) + 1);
}

/**
 * Due at once, by the clock of the database: were it the instant of a machine whose clock runs ahead, it would wait.
 * The delivery's id is made of the event's time and end and the endpoint's end, so that one statement makes them
 * all, and a second one for the same event and endpoint would collide instead of sending twice.
 */
function scheduleDeliveries(
  db: Database,
  transaction: Transaction,
  event: { readonly tenantId: string; readonly id: string; readonly type: EventType; readonly at: number },
): Promise<number> {
  const due = noLaterThanNow(db, ':at');
  return execute(
    db,
    `${INSERT_PENDING}
     SELECT :tenantId, CONCAT(:idStart, SUBSTR(endpoint_id, 23)), :eventId, :type, endpoint_id, 1, 'pending', shard, ${due}, :at, :at
     FROM webhook_subscriptions
     WHERE tenant_id = :tenantId AND event_type IN (:type, '*')`,
    {
      tenantId: event.tenantId,
      eventId: event.id,
      type: event.type,
      at: event.at,
      idStart: `del_${event.id.slice(4, 14)}${event.id.slice(-END)}`,
    },
    transaction,
  );
}
