import { type EventType, ID_DIGITS, type WebhookReplay } from '@plat/contract';
import { execute, newId, type TestServer, unitOfWork } from '@plat/server/testing';
import { expect } from 'vitest';
import type { Api } from './api.ts';

const SHARDS = 64;

/** Inserts events of a tenant without deliveries, with these commit times, oldest first. Resolves to their ids. */
export async function insertUnsentEvents(
  { db }: TestServer,
  { tenantId, at, type = 'client.created' }: { tenantId: string; at: readonly number[]; type?: EventType },
): Promise<string[]> {
  const rows = at.map((created) => {
    const id = newId('event', created);
    const time = new Date(created).toISOString();
    const client = { object: 'client', id: newId('client', created), name: 'Acme', status: 'active', slug: 'acme' };
    const data = { ...client, custom_domain: null, created_at: time, updated_at: time };
    const payload = JSON.stringify({ id, object: 'event', type, created: time, tenant_id: tenantId, data });
    return { tenant_id: tenantId, id, type, created, payload };
  });
  await unitOfWork(db, (transaction) => db.models.event.bulkCreate(rows, { transaction }));
  return rows.map(({ id }) => id);
}

interface PastDelivery {
  readonly tenantId: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly status: 'pending' | 'succeeded' | 'retrying' | 'failed';
  /** Time of its end, or its due time. */
  readonly at: number;
}

/** Inserts the outcome of an event at an endpoint. Pending ones are due in a day. */
export async function insertDelivery({ db }: TestServer, delivery: PastDelivery): Promise<void> {
  const { tenantId, eventId, endpointId, status, at } = delivery;
  const [dueAt, shard] = status === 'pending' ? [Date.now() + 86_400_000, shardOf(endpointId)] : [at, null];
  await execute(
    db,
    `INSERT INTO webhook_deliveries
       (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
     VALUES (:tenantId, :id, :eventId, 'client.created', :endpointId, 1, :status, :shard, :dueAt, :at, :at)`,
    { tenantId, id: newId('webhook_delivery', at), eventId, endpointId, status, shard, dueAt, at },
  );
}

/** Returns the shard as the server does: from the last two characters of the endpoint's id. */
function shardOf(id: string): number {
  return (ID_DIGITS.indexOf(id.charAt(28)) * 32 + ID_DIGITS.indexOf(id.charAt(29))) % SHARDS;
}

/** Polls until a replay has ended. */
export async function endOf(api: Api, replayId: string): Promise<WebhookReplay> {
  const look = async () => (await api(`/v1/webhooks/replays/${replayId}`)).body;
  // A slow machine has taken more than a minute for thousands of events.
  const options = { interval: 50, timeout: 110_000 };
  await expect.poll(async () => (await look()).status, options).toMatch(/^(completed|canceled)$/);
  return look();
}

/** Creates a replay and waits until it has ended. */
export async function replayAll(api: Api, params: object): Promise<WebhookReplay> {
  const { status, body } = await api('/v1/webhooks/replays', { body: params });
  expect([status, body.status], JSON.stringify(body)).toEqual([202, 'pending']);
  return endOf(api, body.id);
}
