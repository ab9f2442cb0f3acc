import { DatabaseSync } from 'node:sqlite';
import { fileStore } from '@plat/sdk/node';
import { OAuth } from '@plat/sdk/oauth';
import { signTestEvent } from '@plat/webhooks/testing';
import { expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { type NodeProcess, spawnNode } from '../support/process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* examples/many-tenants, unchanged. */

const story = useServer();
const TENANTS = 1_000;

async function startReceiver(folder: string): Promise<{ url: string; running: NodeProcess; database: DatabaseSync }> {
  const file = `${folder}/tenants.db`;
  const running = spawnNode('examples/many-tenants/index.js', { env: { PORT: '0', DATABASE: file } });
  const [, url = ''] = await running.waitFor(/Listening on (\S+)/);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000');
  onTestFinished(async () => {
    database.close();
    await running.stop();
  });
  return { url, running, database };
}

const countsIn = (database: DatabaseSync) =>
  new Map(
    database
      .prepare('SELECT tenant_id, clients FROM client_counts')
      .all()
      .map((row) => [String(row['tenant_id']), Number(row['clients'])]),
  );

async function send(url: string, { rawBody, headers }: { rawBody: string | Uint8Array; headers: object }) {
  const { status } = await fetch(url, { method: 'POST', body: Buffer.from(rawBody), headers: { ...headers } });
  return status;
}

test(`${TENANTS} tenants share one URL: each event has its effect once, and no tenant can sign for another`, async () => {
  const { url, database } = await startReceiver(tempFolder('many').path);
  const ids = Array.from({ length: TENANTS }, (_, i) => `tnt_${i}`);
  const insert = database.prepare('INSERT INTO webhook_secrets VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const id of ids) insert.run(id, `whe_${id}`, `whsec_of_${id}`);
  database.exec('COMMIT');

  const deliveries = ids.map((tenantId) =>
    signTestEvent('client.created', { tenantId, secret: `whsec_of_${tenantId}` }),
  );
  const statuses: number[] = [];
  for (let i = 0; i < deliveries.length; i += 50) {
    // Each delivery arrives twice at the same time.
    const part = deliveries.slice(i, i + 50).flatMap((delivery) => [delivery, delivery]);
    statuses.push(...(await Promise.all(part.map((delivery) => send(url, delivery)))));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(countsIn(database)).toEqual(new Map(ids.map((id) => [id, 1])));

  const forged = signTestEvent('client.created', { tenantId: 'tnt_2', secret: 'whsec_of_tnt_1' });
  expect(await send(url, forged)).toBe(400);
  expect(await send(url, signTestEvent('client.created', { tenantId: 'tnt_unknown', secret: 'whsec_x' }))).toBe(400);
  expect(countsIn(database).get('tnt_2')).toBe(1);
});

test('a tenant cannot claim the event of another tenant by its id', async () => {
  const { url, database } = await startReceiver(tempFolder('many').path);
  const insert = database.prepare('INSERT INTO webhook_secrets VALUES (?, ?, ?)');
  for (const id of ['tnt_1', 'tnt_2']) insert.run(id, `whe_${id}`, `whsec_of_${id}`);
  const own = signTestEvent('client.created', { tenantId: 'tnt_2', secret: 'whsec_of_tnt_2' });
  const { id } = own.event;
  expect(await send(url, signTestEvent('client.created', { id, tenantId: 'tnt_1', secret: 'whsec_of_tnt_1' }))).toBe(
    200,
  );
  expect(await send(url, own)).toBe(200);
  expect(countsIn(database).get('tnt_2')).toBe(1);
});

test('a failed effect leaves no record, so the next delivery has its effect', async () => {
  const { url, database } = await startReceiver(tempFolder('many').path);
  database.prepare('INSERT INTO webhook_secrets VALUES (?, ?, ?)').run('tnt_1', 'whe_1', 'whsec_1');
  const delivery = signTestEvent('client.created', { tenantId: 'tnt_1', secret: 'whsec_1' });
  database.exec('ALTER TABLE client_counts RENAME COLUMN clients TO broken');
  expect(await send(url, delivery)).toBe(500);
  expect(database.prepare('SELECT * FROM plat_handled_events').all()).toEqual([]);
  database.exec('ALTER TABLE client_counts RENAME COLUMN broken TO clients');
  expect(await send(url, delivery)).toBe(200);
  expect(countsIn(database).get('tnt_1')).toBe(1);
});

test('tenants that gave the app access are registered once, and their real deliveries arrive', async () => {
  const folder = tempFolder('many').path;
  const { url, database, running } = await startReceiver(folder);
  const app = await story.server.createApp();
  const { appId: clientId, clientSecret, redirectUri } = app;
  const settings = { baseUrl: story.server.baseUrl, clientId, clientSecret, redirectUri };
  const oauth = new OAuth({ ...settings, store: fileStore(`${folder}/grants`) });
  const tenants = await Promise.all(Array.from({ length: 3 }, () => story.server.createTenant()));
  for (const { tenantId } of tenants) {
    const { tokens } = await story.server.grantTokens({ app, tenantId });
    await oauth.grants.import({ accessToken: tokens.access_token, refreshToken: tokens.refresh_token });
  }
  oauth.close();
  const register = async () => {
    const env = {
      PLAT_BASE_URL: story.server.baseUrl,
      PLAT_CLIENT_ID: clientId,
      PLAT_CLIENT_SECRET: clientSecret,
      GRANTS: `${folder}/grants`,
      DATABASE: `${folder}/tenants.db`,
      RECEIVER_URL: url,
    };
    const [, count] = await spawnNode('examples/many-tenants/register.js', { env }).waitFor(/Registered (\d+) tenants/);
    return Number(count);
  };
  expect([await register(), await register()]).toEqual([3, 0]);
  // The secret of one endpoint was lost before it was stored.
  database.prepare('DELETE FROM webhook_secrets WHERE tenant_id = ?').run(tenants[0]?.tenantId ?? '');
  expect(await register()).toBe(1);

  for (const { apiKey } of tenants) {
    await apiOf(story.server.baseUrl, apiKey)('/v1/clients', { body: { name: 'Acme' } });
  }
  for (const { tenantId } of tenants) await running.waitFor(new RegExp(`handled   ${tenantId}  client.created`));
  expect(countsIn(database)).toEqual(new Map(tenants.map(({ tenantId }) => [tenantId, 1])));
});
