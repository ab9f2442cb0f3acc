import { randomBytes } from 'node:crypto';
import { newId, type TestServer, unitOfWork } from '@plat/server/testing';

/** Tables whose rows expire. */
export const AGING_TABLES = ['events', 'webhook_deliveries', 'audit_events', 'idempotency_keys', 'mails'] as const;

/** Inserts events of a tenant without a subscriber, one millisecond apart. */
export async function insertEvents({ db }: TestServer, tenantId: string, count: number, at: number): Promise<void> {
  const events = times(count, (n) => eventRow(tenantId, at + n));
  await unitOfWork(db, (transaction) => db.models.event.bulkCreate(events, { transaction }));
}

/** Inserts rows one millisecond apart into each of the {@link AGING_TABLES}. None of them is pending. */
export async function insertEverywhere({ db }: TestServer, tenantId: string, count: number, at: number): Promise<void> {
  const events = times(count, (n) => eventRow(tenantId, at + n));
  const endpoint_id = newId('webhook_endpoint', at);
  const instants = { created_at: at, updated_at: at };
  await unitOfWork(db, async (transaction) => {
    await db.models.event.bulkCreate(events, { transaction });
    await db.models.webhookDelivery.bulkCreate(
      events.map(({ id, type }) => ({
        ...{ tenant_id: tenantId, id: newId('webhook_delivery', at), event_id: id, event_type: type, endpoint_id },
        ...{ attempt: 1, status: 'succeeded', queue_shard: null, scheduled_at: at, attempted_at: at },
        ...{ response_status: 200, response_body: null, error: null, duration_ms: 1, ...instants },
        ...{ error_class: null, dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 1 },
        ...{ remote_address: '192.0.2.1', response_headers: null },
      })),
      { transaction },
    );
    await db.models.auditEvent.bulkCreate(
      times(count, () => ({
        ...{ tenant_id: tenantId, id: newId('audit_event', at), actor_type: 'system', actor_id: null },
        ...{ action: 'client.created', target_type: 'client', target_id: newId('client', at), changes: null },
        ...{ request_id: null, ip: null, created_at: at },
      })),
      { transaction },
    );
    await db.models.idempotencyKey.bulkCreate(
      times(count, (n) => ({
        ...{ credential_id: newId('api_key', at), key_hash: randomBytes(32), request_hash: randomBytes(32) },
        ...{ attempt: newId('request', at), locked_until: at, status: 201, answer: randomBytes(64) },
        ...{ created_at: at, expires_at: at + n },
      })),
      { transaction },
    );
    await db.models.mail.bulkCreate(
      times(count, () => mailRow(tenantId, 'sent', at)),
      { transaction },
    );
  });
}

export function mailRow(tenantId: string, status: 'queued' | 'sent' | 'failed', at: number) {
  return {
    ...{ id: newId('mail', at), tenant_id: tenantId, kind: 'user_invitation', recipient: 'a@example.com' },
    ...{ subject: 'Hello', body: null, status, attempts: 1, due_at: at, expires_at: null, error: null, sent_at: null },
    ...{ created_at: at, updated_at: at },
  };
}

function eventRow(tenantId: string, at: number) {
  return {
    tenant_id: tenantId,
    id: newId('event', at),
    type: 'client.created' as const,
    created: at,
    payload: '{}',
  };
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
