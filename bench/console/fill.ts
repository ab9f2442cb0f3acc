import { DatabaseSync } from 'node:sqlite';
import { eventBody } from '../deliveries/backlog.ts';
import { nthId } from '../lib/ids.ts';

const HOUR_MS = 3_600_000;

/** Adds this many requests, events and deliveries of the last hours to a tenant, in the file of a running server. */
export function fill(path: string, tenantId: string, endpointId: string, count: number): void {
  const db = new DatabaseSync(path);
  const start = Date.now() - 6 * HOUR_MS;
  const request = db.prepare(
    `INSERT INTO requests (tenant_id, id, method, path, query, operation, outcome, status, code, refusal, credential_type,
      credential_id, app_id, idempotency_key, idempotent_replayed, ip, user_agent, duration_us, created_at)
     VALUES (?, ?, 'GET', '/v1/clients', 'limit=20', 'clients.list', ?, ?, ?, ?, 'api_key', ?, NULL, NULL, 0,
      '203.0.113.7', 'plat-sdk/1.0.0', 2500, ?)`,
  );
  const event = db.prepare('INSERT INTO events (tenant_id, id, type, created, payload) VALUES (?, ?, ?, ?, ?)');
  const delivery = db.prepare(
    `INSERT INTO webhook_deliveries (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard,
      scheduled_at, attempted_at, response_status, response_body, error, duration_ms, created_at, updated_at)
     VALUES (?, ?, ?, 'client.created', ?, 1, 'succeeded', NULL, ?, ?, 200, 'ok', NULL, 3, ?, ?)`,
  );
  const refusal = JSON.stringify({ message: 'The credential lacks the scope clients:read', errors: null });
  db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  for (let n = 0; n < count; n++) {
    const at = start + n * 100;
    const eventId = nthId('evt', start, n * 100);
    const isRefused = n % 20 === 0;
    request.run(
      ...[tenantId, nthId('req', start, n * 100), isRefused ? 'failed' : 'succeeded', isRefused ? 403 : 200],
      ...[isRefused ? 'INSUFFICIENT_SCOPE' : null, isRefused ? refusal : null, nthId('key', start, n % 10), at],
    );
    event.run(tenantId, eventId, 'client.created', at, eventBody(eventId, tenantId, at));
    delivery.run(tenantId, nthId('del', start, n * 100), eventId, endpointId, at, at, at, at);
  }
  db.exec('COMMIT; ANALYZE');
  db.close();
}
