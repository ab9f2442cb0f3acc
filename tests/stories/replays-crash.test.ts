import { HEADERS } from '@plat/contract';
import { createTestServer, select, type TestServer } from '@plat/server/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { endOf, insertUnsentEvents } from '../support/replays.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const EVENTS = 4000;
const KILLS = 4;
const DAY_AGO = new Date(Date.now() - 86_400_000).toISOString();

let database: FreshDatabase;
let receiver: Receiver;
/** This server sends nothing. The processes of each story work on the replays. */
let idle: TestServer;
let env: Readonly<Record<string, string>>;
let api: Api;
let events: readonly string[];

beforeEach(async () => {
  database = await migratedDatabase();
  receiver = await startReceiver();
  env = {
    DATABASE_URL: database.url,
    PLAT_DATA_DIR: tempFolder('replays').path,
    PLAT_LEASE_SECONDS: '1',
    PLAT_RATE_LIMIT: '1000000',
  };
  idle = await createTestServer({ databaseUrl: database.url, env: { ...env, PLAT_DISPATCH: 'false' } });
  const { apiKey, tenantId } = await idle.createTenant();
  api = apiOf(idle.baseUrl, apiKey);
  const at = Array.from({ length: EVENTS }, (_, n) => Date.now() - 3_600_000 + n);
  events = await insertUnsentEvents(idle, { tenantId, at });
  await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } });
});
afterEach(async () => {
  await idle.close();
  await receiver.close();
  await database.drop();
});

/** Returns the number of events that have exactly one delivery, and the number of all events. */
async function deliveries(): Promise<{ readonly once: string[]; readonly all: number }> {
  const rows = await select<{ event_id: string }>(idle.db, 'SELECT event_id FROM webhook_deliveries');
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  return { once: [...byEvent].filter(([, own]) => own.length === 1).map(([id]) => id), all: rows.length };
}

test(`a replay of ${EVENTS} events whose process is killed with -9 ${KILLS} times schedules each once, and the receiver gets all`, async () => {
  // Slow enough that none of the processes finishes the replay: it stops while a thousand deliveries are due.
  receiver.answer((_req, res) => setTimeout(() => res.writeHead(204).end(), 100));
  const { body: replay } = await api('/v1/webhooks/replays', { body: { since: DAY_AGO } });
  const progress = async () => (await api(`/v1/webhooks/replays/${replay.id}`)).body;
  for (let kill = 1; kill <= KILLS; kill++) {
    const { scheduled_count: before } = await progress();
    const running = await startServerProcess(env, env['PLAT_DATA_DIR']);
    const scheduled = async () => (await progress()).scheduled_count;
    await expect.poll(scheduled, { interval: 5 }).toBeGreaterThan(before);
    expect(await running.kill9()).toMatchObject({ signal: 'SIGKILL' });
    if ((await progress()).status === 'completed') break;
  }
  receiver.answer((_req, res) => res.writeHead(204).end());

  const last = await startServerProcess(env, env['PLAT_DATA_DIR']);
  expect(await endOf(api, replay.id)).toMatchObject({
    status: 'completed',
    total_count: EVENTS,
    examined_count: EVENTS,
    scheduled_count: EVENTS,
  });
  const { once, all } = await deliveries();
  expect([once.sort(), all]).toEqual([events, EVENTS]);
  const missing = () => {
    const arrived = new Set(receiver.received.map(({ headers }) => headers[HEADERS.eventId]));
    return events.filter((id) => !arrived.has(id)).length;
  };
  await expect.poll(missing, { timeout: 90_000, interval: 200 }).toBe(0);
  await last.stop();
}, 240_000);

test('of several processes one works on a replay at a time; replays of the same events schedule each once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await api('/v1/webhooks/replays', { body: { since: DAY_AGO } })).body.id);
  const processes = await Promise.all([1, 2].map(() => startServerProcess(env, env['PLAT_DATA_DIR'])));
  let scheduled = 0;
  for (const id of ids) {
    const end = await endOf(api, id);
    expect(end).toMatchObject({ status: 'completed', examined_count: EVENTS });
    scheduled += end.scheduled_count;
  }
  expect(scheduled).toBe(EVENTS);
  const { once, all } = await deliveries();
  expect([once.sort(), all]).toEqual([events, EVENTS]);
  await Promise.all(processes.map((one) => one.stop()));
}, 240_000);
