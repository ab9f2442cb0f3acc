import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS } from '@plat/contract';
import { createTestServer, execute, ROUTES, type Route, type TestServer } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, migratedDatabase } from '../support/database.ts';
import { clockApart, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const post = (api: Api, key: string): Promise<Answer> =>
  api('/v1/clients', { body: { name: 'Once' }, headers: { [HEADERS.idempotencyKey]: key } });

describe('two servers whose clocks are 50 seconds apart', () => {
  const PAIRS = 600;
  const AT_ONCE = 20;
  let database: FreshDatabase;
  let servers: readonly ServerProcess[] = [];
  let apis: readonly Api[] = [];

  beforeAll(async () => {
    database = await migratedDatabase();
    const dataDir = tempFolder('takeover').path;
    const env = { DATABASE_URL: database.url, PLAT_RATE_LIMIT: '1000000', PLAT_DISPATCH: 'false', LOG_LEVEL: 'silent' };
    servers = await Promise.all([0, 50_000].map((ms) => startServerProcess({ ...env, ...clockApart(ms) }, dataDir)));
    const here = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
    const { apiKey } = await here.createTenant({ sandbox: false });
    await here.close();
    apis = servers.map(({ baseUrl }) => apiOf(baseUrl, apiKey));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  });

  test('make one client of two requests with one key, 600 times', async () => {
    const pairs: Answer[][] = [];
    for (let at = 0; at < PAIRS; at += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, i) =>
        Promise.all(apis.map((api) => post(api, `key-${at + i}`))),
      );
      pairs.push(...(await Promise.all(batch)));
    }
    for (const answers of pairs) {
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
      for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 'IDEMPOTENCY_KEY_IN_USE');
    }
    let clients = 0;
    for (let after = ''; ; ) {
      const { body } = await (apis[0] as Api)(`/v1/clients?limit=100${after}`);
      clients += body.data.length;
      if (!body.has_more) break;
      after = `&starting_after=${body.data.at(-1).id}`;
    }
    expect(clients).toBe(PAIRS);
  });
});

describe('a request that runs longer than its lock', () => {
  const LOCK_MS = 600;
  let gate = Promise.withResolvers<void>();
  let started = Promise.withResolvers<void>();
  let database: FreshDatabase;
  let slow: TestServer;
  let quick: TestServer;
  let api: { readonly slow: Api; readonly quick: Api };

  /** Creates the client only when the story opens the gate, outside of the database. */
  const routes: readonly Route[] = ROUTES.map((route) =>
    route.name === 'clients.create'
      ? {
          ...route,
          async write(ctx, input) {
            started.resolve();
            await gate.promise;
            return route.write(ctx, input);
          },
        }
      : route,
  );

  beforeAll(async () => {
    database = await migratedDatabase();
    const env = { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: tempFolder('slow').path };
    const options = { databaseUrl: database.url, env, idempotencyLockMs: LOCK_MS };
    slow = await createTestServer({ ...options, routes });
    quick = await createTestServer(options);
    const { apiKey } = await slow.createTenant({ sandbox: false });
    api = { slow: apiOf(slow.baseUrl, apiKey), quick: apiOf(quick.baseUrl, apiKey) };
  });
  afterAll(async () => {
    await Promise.all([slow.close(), quick.close()]);
    await database.drop();
  });

  /** Begins a request that waits for the gate. */
  async function begin(key: string): Promise<{ readonly answer: Promise<Answer> }> {
    gate = Promise.withResolvers();
    started = Promise.withResolvers();
    const answer = post(api.slow, key);
    await started.promise;
    return { answer };
  }
  const count = async () => (await api.quick('/v1/clients')).body.data.length;

  test('keeps its key: another request has to wait, and then gets its response', async () => {
    const before = await count();
    const { answer: first } = await begin('slow');
    // SQLite lets no other process write meanwhile, not even the renewal: the other request waits for the transaction.
    if (database.kind !== 'sqlite') {
      await wait(3 * LOCK_MS);
      expectRefusal(await post(api.quick, 'slow'), 'IDEMPOTENCY_KEY_IN_USE');
      gate.resolve();
      expect((await first).status).toBe(201);
    } else {
      await wait(3 * LOCK_MS);
      const second = post(api.quick, 'slow');
      await wait(LOCK_MS);
      gate.resolve();
      expect((await first).status).toBe(201);
      const { status, body } = await second;
      expect([201, 409]).toContain(status);
      if (status === 201) expect(body).toEqual((await first).body);
    }
    expect((await post(api.quick, 'slow')).body).toEqual((await first).body);
    expect(await count()).toBe(before + 1);
  });

  test('commits nothing when another request has taken over its key in spite of that', async () => {
    // SQLite has no second writer while the transaction is open.
    if (database.kind === 'sqlite') return;
    const before = await count();
    const { answer: first } = await begin('lost');
    const takenOver = "UPDATE idempotency_keys SET attempt = 'req_of_another', locked_until = 0 WHERE status IS NULL";
    await execute(quick.db, takenOver);
    expect((await post(api.quick, 'lost')).status).toBe(201);
    gate.resolve();
    expectRefusal(await first, 'IDEMPOTENCY_KEY_IN_USE');
    expect(await count()).toBe(before + 1);
  });
});
