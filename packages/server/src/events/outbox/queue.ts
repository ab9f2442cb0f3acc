import type { Database } from '../../db/database.ts';
import { type SqlValues, select, selectText, unionAll } from '../../db/sql.ts';
import { qualified } from '../../db/statements.ts';
import type { WebhookDeliveryRow } from '../../db/tables/webhook-deliveries.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';

const OF_QUEUE = ['endpoint_id', 'scheduled_at', 'tenant_id', 'id'] as const;
const QUEUED = `queue_shard, ${OF_QUEUE.join(', ')}`;
const OF_DELIVERY = ['event_id', 'event_type', 'attempt'] as const;
const OF_ENDPOINT = ['url', 'consecutive_failures', 'secret', 'previous_secret', 'previous_secret_expires_at'] as const;

/** A pending delivery, with the columns of the queue's indexes. */
export type QueuedDelivery = Pick<WebhookDeliveryRow, (typeof OF_QUEUE)[number]> & { readonly queue_shard: number };

type Nullable<Row> = { readonly [Name in keyof Row]: Row[Name] | null };

/** A delivery with all that an attempt needs. Null columns: the event, endpoint or tenant was deleted. */
export interface LoadedDelivery
  extends QueuedDelivery,
    Pick<WebhookDeliveryRow, (typeof OF_DELIVERY)[number]>,
    Nullable<Pick<WebhookEndpointRow, (typeof OF_ENDPOINT)[number]>> {
  readonly payload: string | null;
  /** W3C trace context of the change. */
  readonly traceparent: string | null;
  readonly endpoint_status: WebhookEndpointRow['status'] | null;
  readonly tenant_status: string | null;
  readonly tenant_sandbox: 0 | 1 | null;
}

/** Selects up to `limit` deliveries that fell due after `since`, shard by shard. Cheap when few are due. */
export function selectDue(
  db: Database,
  shards: readonly number[],
  { since, now, limit }: { readonly since: number; readonly now: number; readonly limit: number },
): Promise<QueuedDelivery[]> {
  return select<QueuedDelivery>(
    db,
    `SELECT ${QUEUED} FROM webhook_deliveries
     WHERE queue_shard IN (:shards) AND scheduled_at > :since AND scheduled_at <= :now
     ORDER BY queue_shard, scheduled_at LIMIT ${limit}`,
    { shards, since, now },
  );
}

/** Selects the first `limit` due deliveries of each shard, oldest first, by one key look-up each. */
export function selectDueOfShards(
  db: Database,
  shards: readonly { readonly shard: number; readonly limit: number }[],
  now: number,
): Promise<QueuedDelivery[]> {
  return lookUpEach(db, shards, { now }, ({ shard, limit }) => ({
    where: `queue_shard = ${shard} AND scheduled_at <= :now`,
    order: 'queue_shard, scheduled_at',
    limit,
  }));
}

/**
 * Selects the next pending deliveries of shards in the order of their endpoints, after an endpoint that may have a
 * hundred thousand. Not all of them need be due.
 */
export function selectNextEndpoints(
  db: Database,
  steps: readonly { readonly shard: number; readonly after: string }[],
  limit: number,
): Promise<QueuedDelivery[]> {
  return lookUpEach(db, steps, {}, ({ shard, after }, name) => ({
    where: `queue_shard = ${shard} AND endpoint_id > ${name(after)}`,
    order: 'queue_shard, endpoint_id, scheduled_at, id',
    limit,
  }));
}

/** Selects the first `limit` due deliveries of each endpoint, in the order to send them. */
export function selectDueOfEndpoints(
  db: Database,
  endpoints: readonly { readonly shard: number; readonly endpointId: string; readonly limit: number }[],
  now: number,
): Promise<QueuedDelivery[]> {
  return lookUpEach(db, endpoints, { now }, ({ shard, endpointId, limit }, name) => ({
    where: `queue_shard = ${shard} AND endpoint_id = ${name(endpointId)} AND scheduled_at <= :now`,
    order: 'queue_shard, endpoint_id, scheduled_at, id',
    limit,
  }));
}

/** True when a delivery is due and its endpoint's circuit is not open. For tests: it reads the backlog of an open circuit. */
export async function isAnythingDue(
  db: Database,
  shards: readonly number[],
  { dueBy, now }: { readonly dueBy: number; readonly now: number },
): Promise<boolean> {
  const rows = await select(
    db,
    `SELECT d.id FROM webhook_deliveries d
     WHERE d.queue_shard IN (:shards) AND d.scheduled_at <= :dueBy AND NOT EXISTS (
       SELECT 1 FROM webhook_endpoints w
       WHERE w.tenant_id = d.tenant_id AND w.id = d.endpoint_id AND w.paused_until > :now
     ) LIMIT 1`,
    { shards, dueBy, now },
  );
  return rows.length > 0;
}

/**
 * SQL: whether the owner of a delivery is a sandbox. An app that is not verified counts as one: anyone can register it. The
 * subquery runs for apps only.
 */
const SANDBOX = `CASE WHEN t.id IS NOT NULL THEN t.sandbox ELSE
  (SELECT 1 - COUNT(*) FROM oauth_apps a WHERE a.id = d.tenant_id AND a.verification = 'verified') END`;

/** Loads the deliveries that are still pending, with payload and target. */
export function loadDeliveries(db: Database, rows: readonly QueuedDelivery[]): Promise<LoadedDelivery[]> {
  const { sql, values } = whereKeys(rows, 'd.');
  return select<LoadedDelivery>(
    db,
    `SELECT d.queue_shard, ${qualified('d', [...OF_QUEUE, ...OF_DELIVERY])}, e.payload, e.traceparent,
       ${qualified('w', OF_ENDPOINT)}, w.status AS endpoint_status, t.status AS tenant_status, ${SANDBOX} AS tenant_sandbox
     FROM webhook_deliveries d
     LEFT JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
     LEFT JOIN webhook_endpoints w ON w.tenant_id = d.tenant_id AND w.id = d.endpoint_id
     LEFT JOIN tenants t ON t.id = d.tenant_id
     WHERE ${sql} AND d.status = 'pending'`,
    values,
  );
}

/** Builds a condition on primary keys that every database answers by key look-ups. */
export function whereKeys(
  rows: readonly Pick<QueuedDelivery, 'tenant_id' | 'id'>[],
  prefix = '',
): { readonly sql: string; readonly values: SqlValues } {
  const byTenant = Map.groupBy(rows, (row) => row.tenant_id);
  const values: Record<string, string | string[]> = {};
  const terms = [...byTenant].map(([tenantId, ofTenant], index) => {
    values[`tenant${index}`] = tenantId;
    values[`ids${index}`] = ofTenant.map(({ id }) => id);
    return `${prefix}tenant_id = :tenant${index} AND ${prefix}id IN (:ids${index})`;
  });
  return { sql: `(${terms.join(' OR ')})`, values };
}

interface LookUp {
  readonly where: string;
  /** Starts with the columns of the index, so that no sort is needed. */
  readonly order: string;
  readonly limit: number;
}

/** Reads many short ranges of an index in one statement. */
async function lookUpEach<T>(
  db: Database,
  items: readonly T[],
  values: SqlValues,
  describe: (item: T, name: (value: string) => string) => LookUp,
): Promise<QueuedDelivery[]> {
  if (items.length === 0) return [];
  const named: Record<string, SqlValues[string]> = { ...values };
  const parts = items.map((item, index) => {
    const { where, order, limit } = describe(item, (value) => {
      named[`v${index}`] = value;
      return `:v${index}`;
    });
    return `SELECT ${QUEUED} FROM webhook_deliveries WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  });
  return selectText<QueuedDelivery>(db, unionAll(db, parts), named);
}
