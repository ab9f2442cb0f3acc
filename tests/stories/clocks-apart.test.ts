import { createTestServer, execute, select } from '@plat/server/testing';
import { createVerifier } from '@plat/webhooks';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { arrivals, waitUntilSent } from '../support/sent-once.ts';
import { clockApart, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FIVE_MINUTES = 300_000;
const EVENTS = 24;
const ENDPOINTS = 8;

test('two workers with clocks ten minutes apart send nothing early, nothing twice, and sign with the right time', async () => {
  const database = await migratedDatabase();
  const dataDir = tempFolder('clocks').path;
  const env = { DATABASE_URL: database.url };
  const server = await createTestServer({
    databaseUrl: database.url,
    env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  const receiver = await startReceiver();
  const api = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
  const secrets: string[] = [];
  for (let i = 0; i < ENDPOINTS; i++) {
    const body = { url: `${receiver.url}/${i}`, events: ['client.created'] };
    secrets.push((await api('/v1/webhooks/endpoints', { body })).body.secret);
  }
  const create = async (count: number) => {
    for (let i = 0; i < count; i++) await api('/v1/clients', { body: { name: 'Acme' } });
  };
  const attempts = (attempt: number) =>
    select<{ status: string }>(server.db, 'SELECT status FROM webhook_deliveries WHERE attempt = :attempt', {
      attempt,
    });
  const workers = await Promise.all(
    [-FIVE_MINUTES, FIVE_MINUTES].map((ms) => startWorkerProcess({ ...env, ...clockApart(ms) }, dataDir)),
  );
  // Each worker has half of the queue.
  const owners = async () =>
    (await select(server.db, 'SELECT owner FROM shard_leases WHERE owner IS NOT NULL GROUP BY owner')).length;
  await expect.poll(owners).toBe(2);

  // Due again in four minutes: long past by one clock, and in nine minutes by the other.
  receiver.answer((_req, res) => res.writeHead(503, { 'Retry-After': '240' }).end());
  await create(1);
  const isRecorded = async () => (await attempts(2)).length;
  await expect.poll(isRecorded).toBe(ENDPOINTS);
  receiver.answer((_req, res) => res.writeHead(204).end());

  // No worker has sent it when the other due deliveries are sent.
  await create(EVENTS - 1);
  const due = async () => (await attempts(1)).filter(({ status }) => status === 'pending').length;
  await expect.poll(due).toBe(0);
  expect(receiver.received).toHaveLength(ENDPOINTS * EVENTS);
  expect((await attempts(2)).map(({ status }) => status)).toEqual(Array(ENDPOINTS).fill('pending'));

  // The delivery becomes due.
  await execute(server.db, 'UPDATE webhook_deliveries SET scheduled_at = scheduled_at - 240000 WHERE attempt = 2');
  await waitUntilSent(server);
  expect(receiver.received).toHaveLength(ENDPOINTS * EVENTS + ENDPOINTS);
  const ids = receiver.received.map(({ headers }) => headers['x-platform-delivery-id']);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...arrivals(receiver).values()].sort((a, b) => a - b)).toEqual([
    ...Array(EVENTS - 1).fill(ENDPOINTS),
    2 * ENDPOINTS,
  ]);
  const verifier = createVerifier({ secrets });
  for (const { headers, body } of receiver.received) expect(verifier.verify(body, headers).object).toBe('event');

  await Promise.all(workers.map((worker) => worker.stop()));
  await server.close();
  await receiver.close();
  await database.drop();
}, 240_000);
