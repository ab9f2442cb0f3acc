import { createTestServer, execute, select, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';

let database: FreshDatabase;
let server: TestServer;
let port: number;
let api: Api;

beforeAll(async () => {
  database = await migratedDatabase();
  port = await freePort();
  server = await createTestServer({ databaseUrl: database.url, env: { PLAT_METRICS_PORT: String(port) } });
  api = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
});
afterAll(async () => {
  await server?.close();
  await database?.drop();
});

test('statements, events, deliveries and the queues are measured on every kind of database', async () => {
  const receiver = await startReceiver();
  const endpoint = { url: receiver.url, events: ['client.created'] };
  const { body } = await api('/v1/webhooks/endpoints', { body: endpoint });
  const once = { headers: { 'idempotency-key': 'one' }, body: { name: 'Acme' } };
  for (const _ of [1, 2]) expect((await api('/v1/clients', once)).status).toBe(201);
  await receiver.waitFor(1);
  await server.idle();
  // A paused endpoint with a due delivery: due, and not a sign of a slow queue.
  await execute(server.db, 'UPDATE webhook_endpoints SET paused_until = 9e12 WHERE id = :id', { id: body.id });
  await execute(
    server.db,
    "UPDATE webhook_deliveries SET status = 'pending', queue_shard = 5, scheduled_at = 1000 WHERE endpoint_id = :id",
    { id: body.id },
  );
  const metrics = await metricsNow();
  for (const sample of [
    'plat_idempotency_total{outcome="new"} 1',
    'plat_idempotency_total{outcome="replayed"} 1',
    'plat_events_committed_total{type="client.created"} 1',
    'plat_delivery_lag_seconds_count 1',
    'plat_delivery_duration_seconds_count{phase="total"} 1',
    'plat_shards_held 64',
    'plat_shard_moves_total{direction="taken"} 64',
    'plat_deliveries_due 1',
    'plat_delivery_oldest_due_seconds 0',
    'plat_endpoints_paused 1',
    'plat_mails_queued 0',
    'plat_replays 0',
  ]) {
    expect(metrics).toContain(`${sample}\n`);
  }
  expect(metrics).toMatch(/^plat_db_query_duration_seconds_count\{statement="insert",table="clients"\} [1-9]/m);
  expect(metrics).toMatch(/^plat_db_query_duration_seconds_count\{statement="commit",table=""\} [1-9]/m);
  expect(metrics).toMatch(/^plat_schema_migrations [1-9]\d/m);
  expect(metrics).toMatch(/^plat_signing_key_age_seconds \d/m);
  expect(metrics).toMatch(/^plat_http_connections [1-9]/m);
  expect(/^plat_db_pool_connections\{state="idle"\} \d/m.test(metrics)).toBe(server.db.kind !== 'sqlite');
  expect(/^plat_db_pool_wait_seconds_count [1-9]/m.test(metrics)).toBe(server.db.kind !== 'sqlite');
  // Ids would create a time series for each tenant.
  expect(metrics).not.toMatch(/\b(tnt|whe|cli|key)_[0-9a-zA-Z]{10}/);
  await receiver.close();
});

test('a running process is recorded, with its clock by that of the database', async () => {
  const processes = () => select(server.db, 'SELECT kind, pid, seen_at - started_at AS age FROM processes');
  await expect.poll(processes).toEqual([{ kind: 'server', pid: process.pid, age: expect.any(Number) }]);
});

async function metricsNow(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
