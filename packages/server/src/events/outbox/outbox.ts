import {
  type AnyEventType,
  type AppEventPayloads,
  type AppEventType,
  type EventPayloads,
  type EventType,
  timeOfId,
} from '@plat/contract';
import type { Transaction } from 'sequelize';
import { afterCommit } from '../../db/after-commit.ts';
import type { Database } from '../../db/database.ts';
import { noLaterThanNow } from '../../db/database-clock.ts';
import { execute, selectOne } from '../../db/sql.ts';
import { insertInto } from '../../db/statements.ts';
import { EVENTS, type EventRow } from '../../db/tables/events.ts';
import { wakeAfterCommit } from '../../db/wake-ups.ts';
import { isoTime } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { count } from '../../kernel/meter.ts';
import { currentTraceparent, startChild } from '../../kernel/trace.ts';
import { INSERT_PENDING } from './new-deliveries.ts';

/** Number of shards of the delivery queue; all deliveries of an endpoint are in one shard. */
export const SHARDS = 64;

/** Number of characters at the end of an event id that the ids of its deliveries contain. */
const END = 8;

const INSERT_EVENT = insertInto(EVENTS);

interface Occurrence {
  /** Time of the change, in ms: `created` and the time in the event's id, unless an earlier event has a later time. */
  readonly at: number;
  /** The request that made the change; null for the operator and the system. */
  readonly requestId: string | null;
}

interface NewEvent<T extends EventType> extends Occurrence {
  readonly tenantId: string;
  readonly type: T;
  readonly data: EventPayloads[T];
}

interface NewAppEvent<T extends AppEventType> extends Occurrence {
  readonly appId: string;
  /** Tenant of the installation, or sandbox of the app's developer. */
  readonly tenantId: string;
  readonly type: T;
  readonly data: AppEventPayloads[T];
}

/**
 * Writes an event and one due delivery for each subscribed endpoint of the tenant, in the transaction of the change. These
 * rows are the outbox.
 */
export function recordEvent<T extends EventType>(
  db: Database,
  transaction: Transaction,
  { tenantId, data, ...rest }: NewEvent<T>,
): Promise<void> {
  const about = { tenant_id: tenantId };
  return record(db, transaction, { ...rest, ownerId: tenantId, about, data, objectId: objectOf(data) });
}

/** Does the same for an event of an app, whose own endpoints receive it: the app is the owner (decision 064). */
export function recordAppEvent<T extends AppEventType>(
  db: Database,
  transaction: Transaction,
  { appId, tenantId, data, ...rest }: NewAppEvent<T>,
): Promise<void> {
  const about = { tenant_id: tenantId, app_id: appId };
  return record(db, transaction, { ...rest, ownerId: appId, about, data, objectId: data.id });
}

interface Recorded extends Occurrence {
  /** Tenant or app whose endpoints receive the event. */
  readonly ownerId: string;
  readonly type: AnyEventType;
  /** Fields between `created` and `data`. */
  readonly about: object;
  readonly data: object;
  readonly objectId: string;
}

async function record(
  db: Database,
  transaction: Transaction,
  { ownerId, type, about, data, objectId, at: changedAt, requestId }: Recorded,
): Promise<void> {
  const id = await nextId(db, transaction, ownerId, changedAt);
  const at = timeOfId(id);
  const span = startChild(`event ${type}`, 'producer', { 'messaging.message.id': id });
  span?.end();
  const traceparent = span?.traceparent ?? currentTraceparent();
  const row: EventRow = {
    tenant_id: ownerId,
    id,
    type,
    created: at,
    payload: JSON.stringify({ id, object: 'event', type, created: isoTime(at), ...about, data }),
    traceparent,
    request_id: requestId,
    object_id: objectId,
  };
  await execute(db, INSERT_EVENT, row, transaction);
  afterCommit(transaction, () => count('plat_events_committed_total', { type }));
  const due = await scheduleDeliveries(db, transaction, { ownerId, id, type, at });
  if (due > 0) wakeAfterCommit(db, transaction, 'deliveries');
}

/** Returns the id of the object that an event is about. Members and owners have no id and belong to their group. */
function objectOf(data: EventPayloads[EventType]): string {
  if ('id' in data) return data.id;
  return 'group_id' in data ? data.group_id : data.app_id;
}

/**
 * Returns an id that sorts after the owner's committed events, even if the clock of their process was ahead. No row is
 * locked, so concurrent changes do not wait for each other; either event may come first (decision 023).
 */
async function nextId(db: Database, transaction: Transaction, ownerId: string, at: number): Promise<string> {
  // MAX always reads one index entry, independent of the optimizer's statistics.
  const sql = 'SELECT MAX(id) AS id FROM events WHERE tenant_id = :ownerId';
  const last = (await selectOne<{ id: string | null }>(db, sql, { ownerId }, transaction))?.id;
  const id = newId('event', at);
  if (!last || at > timeOfId(last)) return id;
  // Within a millisecond only ids of this process follow each other: their ends, which delivery ids contain, are in order.
  const isNext = id > last && id.slice(0, -END) === last.slice(0, -END);
  return isNext ? id : newId('event', timeOfId(last) + 1);
}

/**
 * Makes deliveries due at once by the clock of the database: a machine's clock that is ahead would delay them. A delivery id
 * consists of the event's time and end and the endpoint's end. So one statement creates all of them, and a repetition
 * collides instead of sending twice. Resolves to their number.
 */
function scheduleDeliveries(
  db: Database,
  transaction: Transaction,
  event: { readonly ownerId: string; readonly id: string; readonly type: AnyEventType; readonly at: number },
): Promise<number> {
  const due = noLaterThanNow(db, ':at');
  return execute(
    db,
    `${INSERT_PENDING}
     SELECT :ownerId, CONCAT(:idStart, SUBSTR(endpoint_id, 23)), :eventId, :type, endpoint_id, 1, 'pending', shard, ${due}, :at, :at
     FROM webhook_subscriptions
     WHERE tenant_id = :ownerId AND event_type IN (:type, '*')`,
    {
      ownerId: event.ownerId,
      eventId: event.id,
      type: event.type,
      at: event.at,
      idStart: `del_${event.id.slice(4, 14)}${event.id.slice(-END)}`,
    },
    transaction,
  );
}
