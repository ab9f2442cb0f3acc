import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestServer, execute, select } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { waitUntilSent } from '../support/sent-once.ts';
import { startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Enough tenants that their fair shares fill nearly all 500 concurrent deliveries of a process. */
const TENANTS = 50;
const COPIES = 12;

test('a worker that is stopped with 500 deliveries in flight finishes them, and leaves the rest to another', async () => {
  const database = await migratedDatabase();
  const dataDir = tempFolder('drain').path;
  const env = { DATABASE_URL: database.url, PLAT_SHUTDOWN_SECONDS: '60' };
  const server = await createTestServer({
    databaseUrl: database.url,
    env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  const receiver = await startReceiver();
  for (let i = 0; i < TENANTS; i++) {
    const api = apiOf(server.baseUrl, (await server.createTenant({ sandbox: false })).apiKey);
    await api('/v1/webhooks/endpoints', { body: { url: `${receiver.url}/${i}`, events: ['client.created'] } });
    await api('/v1/clients', { body: { name: 'Acme' } });
  }
  /** Makes the event of each tenant due once more, by a separate delivery: much work in little time. */
  const repeat = (nth: number) =>
    execute(
      server.db,
      `INSERT INTO webhook_deliveries
         (tenant_id, id, event_id, event_type, endpoint_id, attempt, status, queue_shard, scheduled_at, created_at, updated_at)
       SELECT d.tenant_id, CONCAT(SUBSTR(d.id, 1, 14), :nth, SUBSTR(d.id, 17)), d.event_id, d.event_type, d.endpoint_id, 1,
         'pending', s.shard, d.scheduled_at, d.created_at, d.updated_at
       FROM webhook_deliveries d
       JOIN webhook_subscriptions s ON s.tenant_id = d.tenant_id AND s.endpoint_id = d.endpoint_id
       WHERE d.attempt = 1 AND SUBSTR(d.id, 15, 2) NOT LIKE '_u'`,
      // Not a digit of a generated id, so that it is never another delivery's id.
      { nth: `${String.fromCharCode(97 + nth)}u` },
    );

  const first = await startWorkerProcess(env, dataDir);
  await repeat(0);
  // After two successful deliveries, an endpoint has its full concurrency.
  await waitUntilSent(server);

  const held: ServerResponse[] = [];
  receiver.answer((_req, res) => void held.push(res));
  for (let nth = 1; nth <= COPIES; nth++) await repeat(nth);
  const isFull = async () => {
    const before = held.length;
    await pause(500);
    return held.length > 200 && held.length === before;
  };
  await expect.poll(isFull).toBe(true);

  first.child.kill('SIGTERM');
  const second = startWorkerProcess(env, dataDir);
  receiver.answer((_req, res) => res.writeHead(204).end());
  for (const res of held) res.writeHead(204).end();
  expect(await first.exited, first.stderr()).toEqual({ code: 0, signal: null });
  await second;
  await waitUntilSent(server);

  const deliveries = receiver.received.map(({ headers }) => headers['x-platform-delivery-id']);
  expect(new Set(deliveries).size).toBe(deliveries.length);
  const succeeded = await select(server.db, "SELECT id FROM webhook_deliveries WHERE status = 'succeeded'");
  expect(succeeded).toHaveLength(TENANTS * (2 + COPIES));

  await (await second).stop();
  await server.close();
  await receiver.close();
  await database.drop();
}, 300_000);
