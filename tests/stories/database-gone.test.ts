import { setTimeout as pause } from 'node:timers/promises';
import { createTestServer } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { startBreakableLine } from '../support/breakable-line.ts';
import { migratedDatabase } from '../support/database.ts';
import { createDatabase, databaseUrl } from '../support/database-server.ts';
import { callOperation, createEveryObject, operations } from '../support/every-operation.ts';
import { startMariadb } from '../support/mariadb.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { arrivals, eventIds, waitUntilSent } from '../support/sent-once.ts';
import { startServerProcess, startWorkerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Longer than a lease. */
const OUTAGE_MS = Number(process.env['STORY_OUTAGE_SECONDS'] ?? 4) * 1000;

test.runIf(inject('database').kind === 'mariadb')(
  'when the database is gone the server says so with 503, and stays alive',
  async () => {
    // A separate database, because the other stories keep using theirs.
    const database = await startMariadb();
    await createDatabase(database, 'gone');
    const server = await createTestServer({ databaseUrl: databaseUrl(database, 'gone') });
    const { apiKey } = await server.createTenant();
    const api = apiOf(server.baseUrl, apiKey);
    expect((await api('/readyz')).status).toBe(200);

    await database.kill();
    for (let i = 0; i < 3; i++) {
      const answer = await api('/v1/clients', { body: { name: 'Nowhere' } });
      expectRefusal(answer, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // The result of an earlier probe is reused for a second.
    await expect.poll(async () => (await api('/readyz')).status).toBe(503);
    expect((await api('/livez')).status).toBe(200);
    await server.close();
  },
);

test.runIf(inject('database').kind === 'mariadb')(
  'a database that prepares no more statements serves every operation that reads, and changes',
  async () => {
    const database = await startMariadb({ flags: ['--max-prepared-stmt-count=0'] });
    await createDatabase(database, 'unprepared');
    const server = await createTestServer({ databaseUrl: databaseUrl(database, 'unprepared') });
    const { api, ids } = await createEveryObject(server);
    for (const [name] of operations.filter(([, { method }]) => method === 'GET')) {
      const { status, body } = await callOperation(api, name, (key) => ids[key]);
      expect(status, `${name} ${JSON.stringify(body)}`).toBe(200);
    }
    for (const name of ['clients.update', 'users.update', 'roles.update', 'clients.delete'] as const) {
      expect((await callOperation(api, name, (key) => ids[key])).status).toBe(200);
    }
    await server.close();
    await database.kill();
  },
);

test.runIf(inject('database').kind !== 'sqlite')(
  `a database outage of ${OUTAGE_MS / 1000} s with deliveries in flight loses no event, and repeats only those deliveries`,
  async () => {
    const database = await migratedDatabase();
    const there = new URL(database.url);
    const line = await startBreakableLine(there.hostname, Number(there.port));
    const dataDir = tempFolder('gone').path;
    const direct = { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir };
    const here = await createTestServer({ databaseUrl: database.url, env: direct });
    const { apiKey } = await here.createTenant();
    const receiver = await startReceiver();
    for (const path of ['/a', '/b', '/c']) {
      const body = { url: receiver.url + path, events: ['client.created'] };
      await apiOf(here.baseUrl, apiKey)('/v1/webhooks/endpoints', { body });
    }
    const broken = new URL(database.url);
    broken.port = String(line.port);
    const server = await startServerProcess({ DATABASE_URL: broken.href, PLAT_LEASE_SECONDS: '2' }, dataDir);
    const api = apiOf(server.baseUrl, apiKey);
    const create = async () => (await api('/v1/clients', { body: { name: 'Acme' } })).status;
    for (let i = 0; i < 10; i++) expect(await create()).toBe(201);
    await waitUntilSent(here);

    const before = receiver.received.length;
    // These are in flight when the database stops, and are answered during the outage.
    const held: (() => void)[] = [];
    receiver.answer((_req, res) => void held.push(() => res.writeHead(204).end()));
    for (let i = 0; i < 10; i++) expect(await create()).toBe(201);
    // No more than endpoints take at once: further ones would come when these have timed out, and be retried half a minute later.
    await expect.poll(() => held.length).toBeGreaterThan(3);
    await line.break();
    receiver.answer((_req, res) => res.writeHead(204).end());
    for (const answer of held) answer();
    const backAt = performance.now() + OUTAGE_MS;
    do {
      expect(await create()).toBe(503);
      expect((await api('/livez')).status).toBe(200);
      await pause(100);
    } while (performance.now() < backAt);
    const inFlight = new Set(deliveriesOf(receiver).slice(before));
    await line.mend();

    await expect.poll(create).toBe(201);
    for (let i = 0; i < 10; i++) expect(await create()).toBe(201);
    await waitUntilSent(here);
    const ids = await eventIds(here);
    expect(ids).toHaveLength(31);
    expect([...arrivals(receiver).keys()].sort()).toEqual(ids);
    const deliveries = deliveriesOf(receiver);
    const twice = deliveries.filter((id, i) => deliveries.indexOf(id) !== i);
    expect(twice.filter((id) => !inFlight.has(id))).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    await receiver.close();
    await here.close();
    await database.drop();
  },
  180_000 + OUTAGE_MS,
);

const deliveriesOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-platform-delivery-id']);

test.runIf(inject('database').kind !== 'sqlite').each([
  ['a server', startServerProcess],
  ['a worker', startWorkerProcess],
])('a database that does not answer does not keep %s from stopping', async (_, start) => {
  const database = await migratedDatabase();
  const there = new URL(database.url);
  const line = await startBreakableLine(there.hostname, Number(there.port));
  there.port = String(line.port);
  const env = { DATABASE_URL: there.href, PLAT_SHUTDOWN_SECONDS: '1' };
  const running = await start(env, tempFolder('stalled').path);
  line.stall();
  const { code, signal } = await running.stop();
  expect(signal, running.stderr()).toBe(null);
  // 0 when its last statements have failed before it is cut off.
  if (code !== 0) expect(running.stderr()).toContain('PLAT_SHUTDOWN_SECONDS');
  await line.break();
  await database.drop();
});
