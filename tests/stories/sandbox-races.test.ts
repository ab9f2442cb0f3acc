import { createTestServer, ROUTES, select } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { startServerProcess } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const dataDir = tempFolder('sandbox-races').path;
const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir } });

const PROCESSES = 2;
const WRITERS = 6;
const RESETS = 5;

test('while several processes change a sandbox, each reset removes all of before, and no change survives in parts', async () => {
  const { tenantId, apiKey } = await story.server.createSandbox();
  const env = { DATABASE_URL: story.database.url, PLAT_DISPATCH: 'false', PLAT_SANDBOX_WRITES: '1000000' };
  const quotas = { PLAT_SANDBOX_QUOTAS: 'clients=100000', PLAT_RATE_LIMIT: '1000000' };
  const servers = await Promise.all(
    Array.from({ length: PROCESSES }, () => startServerProcess({ ...env, ...quotas }, dataDir)),
  );
  const created = new Set<string>();
  let isOver = false;
  const writers = servers.flatMap(({ baseUrl }) =>
    Array.from({ length: WRITERS }, async () => {
      const api = apiOf(baseUrl, apiKey);
      while (!isOver) {
        const { status, body } = await api('/v1/clients', { body: { name: 'Raced' } });
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
        created.add(body.id);
      }
    }),
  );
  for (let reset = 0; reset < RESETS; reset++) {
    const seen = created.size;
    await expect.poll(() => created.size).toBeGreaterThan(seen + 20);
    const before = new Set(created);
    const { json } = await operate(story.database.url, 'sandbox', 'reset', tenantId, '--yes');
    expect(json).toEqual({ tenant_id: tenantId, reset: true });
    expect((await idsOf('clients', 'id')).filter((id) => before.has(id))).toEqual([]);
  }
  isOver = true;
  await Promise.all(writers);

  const clients = await idsOf('clients', 'id', "name = 'Raced'");
  expect(clients.every((id) => created.has(id))).toBe(true);
  expect(await idsOf('events', 'object_id', "type = 'client.created'")).toEqual(clients);
  expect(await idsOf('audit_events', 'target_id', "action = 'client.created'")).toEqual(clients);
  expect(await idsOf('clients', 'id', "name <> 'Raced'")).toHaveLength(2);
  await Promise.all(servers.map((server) => server.stop()));

  async function idsOf(table: string, column: string, condition = '1 = 1'): Promise<readonly string[]> {
    const sql = `SELECT ${column} AS id FROM ${table} WHERE tenant_id = :tenantId AND ${condition} ORDER BY ${column}`;
    return (await select<{ id: string }>(story.server.db, sql, { tenantId })).map(({ id }) => id);
  }
});

test.runIf(inject('database').kind !== 'sqlite')('changes of one sandbox run at the same time', async () => {
  const { apiKey } = await story.server.createSandbox();
  let begun = 0;
  const both = Promise.withResolvers<void>();
  const routes = ROUTES.map((route) =>
    route.name !== 'clients.create'
      ? route
      : {
          ...route,
          async write(...given: Parameters<typeof route.write>) {
            if (++begun === 2) both.resolve();
            await both.promise;
            return route.write(...given);
          },
        },
  );
  const server = await createTestServer({
    databaseUrl: story.database.url,
    routes,
    env: { PLAT_DISPATCH: 'false', PLAT_DATA_DIR: dataDir },
  });
  const api = apiOf(server.baseUrl, apiKey);
  const answers = await Promise.all(['One', 'Two'].map((name) => api('/v1/clients', { body: { name } })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  await server.close();
});
