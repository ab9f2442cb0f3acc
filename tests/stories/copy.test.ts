import { randomBytes } from 'node:crypto';
import { createTestServer, execute, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { insertEverywhere } from '../support/old-rows.ts';
import { operate } from '../support/operator.ts';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROWS = 3_000;

/** A server whose key does not fit the database takes no part in its deliveries. */
const PLAT_MASTER_KEY = randomBytes(32).toString('base64');

const from = `sqlite:${tempFolder('copy').path}/plat.db`;
let to: FreshDatabase;
let apiKey: string;
let clients: unknown;

/** Runs on the copy, or on the original. */
async function onDatabase<T>(databaseUrl: string, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await createTestServer({ databaseUrl, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

beforeAll(async () => {
  to = await freshDatabase();
  await onDatabase(from, async (server) => {
    const tenant = await server.createTenant({ sandbox: true });
    apiKey = tenant.apiKey;
    const api = apiOf(server.baseUrl, apiKey);
    await api('/v1/clients', { body: { name: 'Zoë 🦊', custom_domain: 'shop.example.com' } });
    await api('/v1/webhooks/endpoints', { body: { url: 'https://receiver.example.com/', events: ['*'] } });
    clients = (await api('/v1/clients')).body;
    await insertEverywhere(server, tenant.tenantId, ROWS, Date.now() - 3_600_000);
  });
});
afterAll(() => to.drop());

const copy = (...options: string[]) => operate(to.url, 'copy', '--from', from, ...options);
const differing = (tables: { table: string; missing: number; unexpected: number; different: number }[]) =>
  tables.filter(({ missing, unexpected, different }) => missing + unexpected + different > 0);

test('a copy that is killed continues with --resume; afterwards every row is the same, and a server runs on it', async () => {
  const env = { DATABASE_URL: to.url, PLAT_DATA_DIR: tempFolder('operator').path };
  const killed = spawnNode('packages/server/src/main.ts', { args: ['copy', '--from', from], env });
  await killed.waitFor(/copied audit_events/);
  await killed.kill9();
  expect(killed.stderr()).not.toMatch(/compared mails/);

  const without = await copy();
  expect([without.code, without.stderr]).toMatchObject([
    1,
    expect.stringMatching(/already has rows, in tenants: .*--resume/),
  ]);
  const resumed = await copy('--resume');
  expect([resumed.code, resumed.stderr]).toMatchObject([0, expect.stringMatching(/no differences/)]);
  expect(differing(resumed.json)).toEqual([]);
  expect(resumed.json).toContainEqual(expect.objectContaining({ table: 'events', missing: 0, unexpected: 0 }));

  await onDatabase(to.url, async ({ baseUrl }) => {
    const api = apiOf(baseUrl, apiKey);
    expect((await api('/v1/clients')).body).toEqual(clients);
    expect((await api('/v1/clients', { body: { name: 'After the copy' } })).status).toBe(201);
  });
});

test('--compare-only names each difference, with exit code 1', async () => {
  await onDatabase(to.url, async ({ db }) => {
    await execute(db, "UPDATE settings SET default_locale = 'fr'");
    await execute(db, 'DELETE FROM webhook_endpoints');
  });
  // Both passwords stay out of the list of processes.
  const env = { DATABASE_URL: to.url, SOURCE_DATABASE_URL: from };
  const { code, json, stderr } = await operate(env, 'copy', '--compare-only');
  expect([code, stderr]).toMatchObject([1, expect.stringMatching(/DIFFER/)]);
  expect(stderr).not.toContain('rows copied');
  const found = Object.fromEntries(differing(json).map(({ table, ...counts }) => [table, counts]));
  expect(found).toMatchObject({
    settings: { different: 1, examples: [expect.stringMatching(/^different: tnt_/)] },
    webhook_endpoints: { missing: 1, examples: [expect.stringMatching(/^missing: tnt_\w+ /)] },
    clients: { unexpected: 1, missing: 0 },
  });
});

test('databases that cannot be copied are refused with the reason', async () => {
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await operate(to.url, 'copy', ...args);
    expect([code, stdout]).toEqual([1, '']);
    return stderr;
  };
  expect(await refusal('--from', to.url)).toMatch(/are the same database/);
  expect(await refusal('--from', 'sqlite:/nowhere/plat.db')).toMatch(/there is no file \/nowhere\/plat.db/);
  expect(await refusal('--from', 'postgres://a')).toMatch(/^plat-server: --from must look like/);
  expect(await refusal('--from', `sqlite:${tempFolder('empty').path}/../none.db`)).toMatch(/there is no file/);

  const running = await createTestServer({ databaseUrl: from, env: { PLAT_MASTER_KEY } });
  try {
    await expect.poll(() => running.db.models.dispatcher.count()).toBe(1);
    expect(await refusal('--from', from)).toMatch(/a server or worker runs on the database of --from, .*: stop/);
  } finally {
    await running.close();
  }
});
