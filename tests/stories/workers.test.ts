import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestServer, select, selectOne, type TestServer } from '@plat/server/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, freshDatabase, migratedDatabase } from '../support/database.ts';
import type { NodeProcess } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { arrivals, eventIds, waitUntilSent } from '../support/sent-once.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const dataDir = tempFolder('workers').path;
let database: FreshDatabase;
/** A server in this process, to create objects and query the database. */
let here: TestServer;
let receiver: Receiver;
let servers: readonly NodeProcess[] = [];
/** Clients of one tenant, on servers that do not dispatch. */
let apis: readonly Api[] = [];
let workers: NodeProcess[] = [];

const environment = () => ({ DATABASE_URL: database.url, PLAT_RATE_LIMIT: '1000000' });

beforeAll(async () => {
  database = await migratedDatabase();
  here = await createTestServer({
    databaseUrl: database.url,
    env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  // A sandbox would reach its quota of clients on a fast machine.
  const { apiKey } = await here.createTenant({ sandbox: false });
  const serve = () => startServerProcess(environment(), dataDir, 'serve', '--no-dispatch');
  const serving = await Promise.all([serve(), serve()]);
  servers = serving;
  apis = serving.map(({ baseUrl }) => apiOf(baseUrl, apiKey));
  receiver = await startReceiver();
  const endpoint = { url: receiver.url, events: ['client.created'] };
  for (const api of apis.slice(0, 1))
    expect((await api('/v1/webhooks/endpoints', { body: endpoint })).status).toBe(201);
}, 150_000);
afterEach(async () => {
  receiver.answer((_req, res) => res.writeHead(204).end());
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await here.close();
  await receiver.close();
  await database.drop();
});

async function startWorker(env: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
  const worker = await startWorkerProcess({ ...environment(), ...env }, dataDir);
  workers.push(worker);
  return worker;
}

/** Creates clients through both servers while the condition is true. */
async function createWhile(isRunning: () => boolean): Promise<void> {
  await Promise.all(
    apis.map(async (api) => {
      while (isRunning()) {
        expect((await api('/v1/clients', { body: { name: 'Load' } })).status).toBe(201);
        // A steady load: a backlog of thousands would only be waited for.
        await wait(5);
      }
    }),
  );
}

async function create(count: number): Promise<void> {
  let left = count;
  await createWhile(() => left-- > 0);
}

/** Returns the ids of the processes that take part in sending. */
async function dispatcherPids(): Promise<number[]> {
  const rows = await select<{ id: string }>(here.db, 'SELECT id FROM dispatchers');
  return rows.map(({ id }) => Number(id.split(':')[1])).sort((a, b) => a - b);
}

const pidsOf = (processes: readonly NodeProcess[]) => processes.map(({ pid }) => pid).sort((a, b) => a - b);

test('two workers send the events of two servers, each once, and both workers take part', async () => {
  await Promise.all([startWorker(), startWorker()]);
  await expect.poll(dispatcherPids).toEqual(pidsOf(workers));
  await create(60);
  await waitUntilSent(here);
  expect([...arrivals(receiver)].sort()).toEqual((await eventIds(here)).map((id) => [id, 1]));
  expect(await dispatcherPids()).toEqual(pidsOf(workers));
}, 180_000);

test('workers start and stop under load: each event arrives once', async () => {
  await waitUntilSent(here);
  let isOver = false;
  const load = createWhile(() => !isOver);
  for (let round = 0; round < 3; round++) {
    const worker = await startWorker();
    await receiver.waitFor(receiver.received.length + 20);
    for (const before of workers.filter((other) => other !== worker)) {
      expect(await before.stop(), before.stderr()).toEqual({ code: 0, signal: null });
    }
    workers = [worker];
  }
  isOver = true;
  await load;
  await waitUntilSent(here);
  expect([...arrivals(receiver)].sort()).toEqual((await eventIds(here)).map((id) => [id, 1]));
}, 240_000);

test('a worker that is killed is replaced by another when its lease ends; only its in-flight deliveries come twice', async () => {
  const lease = { PLAT_LEASE_SECONDS: '2' };
  const first = await startWorker(lease);
  await create(5);
  await waitUntilSent(here);
  // Deliveries from now on hang.
  const inFlight = new Set<unknown>();
  receiver.answer(({ headers }) => void inFlight.add(headers['x-platform-event-id']));
  await create(8);
  await expect.poll(() => inFlight.size).toBeGreaterThan(2);
  await first.kill9();
  receiver.answer((_req, res) => res.writeHead(204).end());
  await startWorker(lease);
  await create(5);
  await waitUntilSent(here);
  const times = arrivals(receiver);
  expect([...times.keys()].sort()).toEqual(await eventIds(here));
  expect([...times].filter(([id, count]) => count > 1 && !inFlight.has(id))).toEqual([]);
  expect([...times].filter(([id, count]) => count < 2 && inFlight.has(id))).toEqual([]);
}, 240_000);

test('a worker creates the schema of an empty database, and seeds no sandbox', async () => {
  const empty = await freshDatabase();
  const folder = join(tempFolder('worker').path, 'data');
  const worker = await startWorkerProcess({ DATABASE_URL: empty.url }, folder);
  const peek = await createTestServer({ databaseUrl: empty.url, env: { PLAT_DISPATCH: 'false' } });
  expect(await selectOne(peek.db, 'SELECT COUNT(*) AS tenants FROM tenants')).toEqual({ tenants: 0 });
  expect(existsSync(join(folder, 'sandbox.json'))).toBe(false);
  await peek.close();
  expect(await worker.stop(), worker.stderr()).toEqual({ code: 0, signal: null });
  await empty.drop();
});

test('a worker sends mail too, and takes part for any value of PLAT_DISPATCH', async () => {
  const worker = await startWorker({ PLAT_DISPATCH: 'false' });
  await here.queueMail({ to: 'ada@example.com', subject: 'From a worker', text: 'Hello', kind: 'test' });
  await worker.waitFor(/From a worker/);
  await expect.poll(dispatcherPids).toContain(worker.pid);
});

test('a worker with another master key leaves deliveries and mails to one whose key fits', async () => {
  const unfit = await startWorker({ PLAT_MASTER_KEY: randomBytes(32).toString('base64'), PLAT_LEASE_SECONDS: '2' });
  const holders = async () => {
    const sql = 'SELECT DISTINCT owner FROM shard_leases';
    return (await select<{ owner: string | null }>(here.db, sql)).map(({ owner }) => Number(owner?.split(':')[1]));
  };
  // Alone it holds all shards, and postpones.
  await expect.poll(holders).toEqual([unfit.pid]);
  const fit = await startWorker({ PLAT_LEASE_SECONDS: '2' });
  await expect.poll(holders).toEqual([fit.pid]);
  for (const id of [1, 2, 3, 4])
    await here.queueMail({ to: `${id}@example.com`, subject: `For ${id}`, text: 'Hello', kind: 'test' });
  await create(20);
  await waitUntilSent(here);
  const postponed = "SELECT id FROM webhook_deliveries WHERE attempted_at - created_at > 50000 OR status = 'pending'";
  expect(await select(here.db, postponed)).toEqual([]);
  const unsent = "SELECT id, status, attempts FROM mails WHERE attempts > 1 OR status <> 'sent'";
  await expect.poll(() => select(here.db, unsent)).toEqual([]);
});

test('on its health port a worker answers probes only; without one it does not listen', async () => {
  const worker = await startWorkerProcess(environment(), dataDir, '--health-port', '0');
  workers.push(worker);
  const [, url = ''] = await worker.waitFor(/Health +(http:\/\/127\.0\.0\.1:\d+)\/readyz/);
  const probe = apiOf(url, 'plat_test_nobody');
  expect((await probe('/livez')).body).toEqual({ status: 'live' });
  expect((await probe('/readyz')).body).toEqual({ status: 'ready' });
  expectRefusal(await probe('/v1/me'), 'NOT_FOUND');
  expect((await startWorker()).stdout()).not.toContain('http');
});
