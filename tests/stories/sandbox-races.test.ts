import { createTestServer, execute, ROUTES, select, unitOfWork } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { developerConsole } from '../support/console.ts';
import { expectLockWait } from '../support/lock-wait.ts';
import { operate } from '../support/operator.ts';
import { createRaced, expectWhole, MANY_CHANGES } from '../support/sandbox-race.ts';
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
  const env = {
    DATABASE_URL: story.database.url,
    PLAT_DISPATCH: 'false',
    ...MANY_CHANGES,
  };
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServerProcess(env, dataDir)));
  const created = new Set<string>();
  let isOver = false;
  const writers = servers.flatMap(({ baseUrl }) =>
    Array.from({ length: WRITERS }, async () => {
      while (!isOver) created.add((await createRaced(apiOf(baseUrl, apiKey))) ?? expect.fail('503'));
    }),
  );
  for (let reset = 0; reset < RESETS; reset++) {
    const seen = created.size;
    await expect.poll(() => created.size).toBeGreaterThan(seen + 20);
    const before = new Set(created);
    const { json } = await operate(story.database.url, 'sandbox', 'reset', tenantId, '--yes');
    expect(json).toEqual({ tenant_id: tenantId, reset: true });
    const sql = 'SELECT id FROM clients WHERE tenant_id = :tenantId';
    const after = await select<{ id: string }>(story.server.db, sql, { tenantId });
    expect(after.filter(({ id }) => before.has(id))).toEqual([]);
  }
  isOver = true;
  await Promise.all(writers);
  const clients = await expectWhole({ db: story.server.db, tenantId });
  expect(clients.filter((id) => !created.has(id))).toEqual([]);
  await Promise.all(servers.map((server) => server.stop()));
});

test.runIf(inject('database').kind !== 'sqlite')('each reset takes every slot of its sandbox once', async () => {
  const { developer, post } = await developerConsole(story.server);
  const { tenantId } = developer;
  const api = apiOf(story.server.baseUrl, await story.server.mintDeveloperToken(tenantId));
  const resets = [
    () => story.server.resetSandbox(tenantId),
    () => api('/developer/v1/sandbox/reset', { method: 'POST' }),
    () => post('/console/reset'),
  ];
  for (const [n, reset] of resets.entries()) {
    await reset();
    const sql = 'SELECT slot, changes FROM sandbox_locks WHERE tenant_id = :tenantId ORDER BY slot';
    const slots = await select<{ slot: number; changes: number }>(story.server.db, sql, { tenantId });
    expect(slots).toEqual(Array.from({ length: 32 }, (_, slot) => ({ slot, changes: n + 1 })));
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

test.runIf(inject('database').kind !== 'sqlite')(
  'of two replacements of a key at once, the second one replaces the key of the first',
  async () => {
    const { tenantId } = await story.server.createSandbox();
    const api = apiOf(story.server.baseUrl, await story.server.mintDeveloperToken(tenantId));
    const { minted } = await unitOfWork(story.server.db, async (transaction) => {
      const lock = 'UPDATE api_keys SET last_used_at = 1 WHERE tenant_id = :tenantId';
      await execute(story.server.db, lock, { tenantId }, transaction);
      const answers = [1, 2].map(() => api('/developer/v1/keys', { body: { expires_in: 3600 } }));
      await expectLockWait(story.server.db, answers.length);
      return { minted: Promise.all(answers) };
    });
    const keys = (await minted).map(({ body }) => body);
    const { body: current } = await api('/developer/v1/keys');
    const other = keys.find(({ id }) => id !== current.id);
    expect(keys.map(({ id }) => id)).toContain(current.id);
    expect(current.previous_key.id).toBe(other?.id);
  },
);
