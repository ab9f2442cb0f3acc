import { createTestServer, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import type { NodeProcess } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { waitUntilSent } from '../support/sent-once.ts';
import { clockApart, startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TEN_MINUTES = 600_000;
const dataDir = tempFolder('order').path;

let database: FreshDatabase;
let here: TestServer;
let processes: NodeProcess[] = [];
let baseUrls: readonly string[] = [];

const environment = () => ({ DATABASE_URL: database.url, PLAT_RATE_LIMIT: '1000000' });

beforeAll(async () => {
  database = await migratedDatabase();
  here = await createTestServer({
    databaseUrl: database.url,
    env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  const serve = (apartMs: number) =>
    startServerProcess({ ...environment(), ...clockApart(apartMs) }, dataDir, 'serve', '--no-dispatch');
  const servers = await Promise.all([TEN_MINUTES, 0, -TEN_MINUTES].map(serve));
  processes = servers;
  baseUrls = servers.map(({ baseUrl }) => baseUrl);
}, 150_000);
afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop()));
  await here.close();
  await database.drop();
});

/** A tenant, called through servers whose clocks are ahead, right and behind. */
async function tenantOfAll(): Promise<readonly Api[]> {
  const { apiKey } = await here.createTenant({ sandbox: false });
  return baseUrls.map((baseUrl) => apiOf(baseUrl, apiKey));
}

interface ListedEvent {
  readonly id: string;
  readonly created: string;
  readonly data: { readonly id: string; readonly name: string; readonly updated_at: string };
}

/** Returns the events of a tenant in the order of the specification: by `created`, ties by id. */
async function eventsOf(api: Api | undefined): Promise<readonly ListedEvent[]> {
  const { body } = (await api?.('/v1/webhooks/events?limit=100')) ?? {};
  const events: ListedEvent[] = body.data;
  return events.sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
}

const namesOf = (events: readonly ListedEvent[]) => events.map(({ data }) => data.name);

describe('`created`, with ties resolved by id, orders the events of a tenant', () => {
  test('in commit order, although each is written by another server, with clocks ten minutes apart', async () => {
    const apis = await tenantOfAll();
    const names: string[] = [];
    for (let i = 0; i < 45; i++) {
      const name = `Number ${i}`;
      // Ahead, right, behind, behind, right, ahead, …
      const api = apis[Math.abs((i % 6) - 2.5) - 0.5];
      expect((await api?.('/v1/clients', { body: { name } }))?.status).toBe(201);
      names.push(name);
    }
    const events = await eventsOf(apis[0]);
    expect(namesOf(events)).toEqual(names);
    // The order of the ids is the same: lists and cursors use it.
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort());
  });

  test('in the order of changes to one object, made at once through servers with clocks ten minutes apart', async () => {
    const apis = await tenantOfAll();
    const { body: client } = (await apis[1]?.('/v1/clients', { body: { name: 'Busy' } })) ?? {};
    const changes = Array.from({ length: 30 }, (_, i) =>
      apis[i % apis.length]?.(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: `Busy ${i}` } }),
    );
    for (const answer of await Promise.all(changes)) expect(answer?.status).toBe(200);
    const events = await eventsOf(apis[2]);
    expect(events).toHaveLength(31);
    const byObject = [...events].sort((a, b) => (a.data.updated_at < b.data.updated_at ? -1 : 1));
    expect(namesOf(events)).toEqual(namesOf(byObject));
    expect(namesOf(events).at(-1)).toBe((await apis[1]?.(`/v1/clients/${client.id}`))?.body.name);
  });
});

test('first attempts at one endpoint begin in the order of event ids, one at a time with PLAT_WEBHOOK_CONCURRENCY=1', async () => {
  const apis = await tenantOfAll();
  const receiver = await startReceiver();
  await apis[0]?.('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
  let inFlight = 0;
  let most = 0;
  receiver.answer((_req, res) => {
    most = Math.max(most, ++inFlight);
    setImmediate(() => {
      inFlight--;
      res.writeHead(204).end();
    });
  });
  const create = async (count: number) => {
    for (let i = 0; i < count; i++) await apis[i % apis.length]?.('/v1/clients', { body: { name: 'Ordered' } });
  };
  await create(30);
  const worker = await startWorkerProcess({ ...environment(), PLAT_WEBHOOK_CONCURRENCY: '1' }, dataDir);
  await waitUntilSent(here);
  const waiting = receiver.received.map(({ headers }) => headers['x-platform-event-id']);
  expect(waiting).toHaveLength(30);
  expect(waiting).toEqual([...waiting].sort());

  // Also while new events arrive.
  await create(20);
  await waitUntilSent(here);
  const all = receiver.received.map(({ headers }) => headers['x-platform-event-id']);
  expect(all).toHaveLength(50);
  expect(all).toEqual([...all].sort());
  expect(most).toBe(1);
  await worker.stop();
  await receiver.close();
}, 180_000);
