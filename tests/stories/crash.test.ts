import { createTestServer } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receiver.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROUNDS = 6;

test(`${ROUNDS} servers killed with -9 under load lose no committed event, and no answer that was given`, async () => {
  const database = await freshDatabase();
  const receiver = await startReceiver();
  const dataDir = tempFolder('crash').path;
  const env = { DATABASE_URL: database.url, PLAT_RATE_LIMIT: '1000000', PLAT_LEASE_SECONDS: '1' };
  const setUp = await createTestServer({
    databaseUrl: database.url,
    env: { ...env, PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  const { apiKey } = await setUp.createTenant();
  await apiOf(setUp.baseUrl, apiKey)('/v1/webhooks/endpoints', {
    body: { url: receiver.url, events: ['client.created'] },
  });
  await setUp.close();

  const answered: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServerProcess(env, dataDir);
    const api = apiOf(server.baseUrl, apiKey);
    let killed = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!killed) {
        const answer = await api('/v1/clients', { body: { name: 'Crash' } }).catch(() => null);
        if (answer?.status === 201) answered.push(answer.body.id);
      }
    });
    await receiver.waitFor(receiver.received.length + 5 + 7 * round);
    await server.kill9();
    killed = true;
    await Promise.all(load);
  }

  const last = await createTestServer({ databaseUrl: database.url, env: { ...env, PLAT_DATA_DIR: dataDir } });
  const api = apiOf(last.baseUrl, apiKey);
  const committed: string[] = [];
  for (let query = 'limit=100'; ; ) {
    const { body } = await api(`/v1/webhooks/events?${query}`);
    committed.push(...body.data.map((event: { id: string }) => event.id));
    if (!body.has_more) break;
    query = `limit=100&starting_after=${committed.at(-1)}`;
  }
  const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).id));
  await expect.poll(() => committed.filter((id) => !arrived().has(id)), { timeout: 60_000, interval: 200 }).toEqual([]);
  await last.idle();

  expect(committed.length).toBeGreaterThanOrEqual(answered.length);
  const clients = new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id));
  expect(answered.filter((id) => !clients.has(id))).toEqual([]);
  expect([...arrived()].filter((id) => !committed.includes(id))).toEqual([]);
  await last.close();
  await receiver.close();
  await database.drop();
}, 180_000);
