import { randomBytes } from 'node:crypto';
import { createTestServer, execute, migrateFurther, select, selectOne, unitOfWork } from '@plat/server/testing';
import { expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase, migratedDatabase } from '../support/database.ts';
import { operate } from '../support/operator.ts';
import { spawnNode } from '../support/process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SENDS_TO = /run plat-server migrate up$/m;

test('operator commands never migrate: plan, up and status do, step by step', async () => {
  const database = await freshDatabase();
  const migrate = (command: string) => operate(database.url, 'migrate', command);
  const list = () => operate(database.url, 'tenants', 'list');
  const [refused, before, plan] = await Promise.all([list(), migrate('status'), migrate('plan')]);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(SENDS_TO) });
  const first = '0001-tenants-and-keys';
  expect(before).toMatchObject({ code: 1, json: expect.arrayContaining([{ migration: first, state: 'pending' }]) });
  const operation = { migration: first, operation: 'create table tenants', effect: 'none' };
  expect(plan).toMatchObject({ code: 0, json: expect.arrayContaining([operation]) });
  // Some operations are long statements. Without JSON they come last, so that the effects are in view.
  const text = spawnNode('packages/server/src/main.ts', {
    args: ['migrate', 'plan'],
    env: { DATABASE_URL: database.url, PLAT_DATA_DIR: tempFolder('plan').path },
  });
  expect(await text.exited).toMatchObject({ code: 0 });
  expect(text.stdout()).toMatch(/^0001-tenants-and-keys +none +create table tenants$/m);

  const up = await migrate('up');
  expect(up.json).toHaveLength(before.json.length);
  const [again, after, accepted] = await Promise.all([migrate('up'), migrate('status'), list()]);
  expect(again).toMatchObject({ code: 0, json: [] });
  expect(after).toMatchObject({ code: 0, json: expect.arrayContaining([{ migration: first, state: 'applied' }]) });
  expect(accepted).toMatchObject({ code: 0, json: [] });
  await database.drop();
});

test('a schema that a newer version has migrated is accepted by a server and by commands', async () => {
  const database = await freshDatabase();
  const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
  const options = { databaseUrl: database.url, env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } };
  const running = await createTestServer(options);
  await execute(running.db, "INSERT INTO schema_migrations (name) VALUES ('0099-future')");
  const started = await createTestServer(options);
  for (const { baseUrl } of [running, started]) expect((await apiOf(baseUrl)('/readyz')).status).toBe(200);
  const [list, status] = await Promise.all([
    operate(database.url, 'tenants', 'list'),
    operate(database.url, 'migrate', 'status'),
  ]);
  expect(list.code).toBe(0);
  expect(status).toMatchObject({
    code: 0,
    json: expect.arrayContaining([{ migration: '0099-future', state: 'newer' }]),
  });
  await running.close();
  await started.close();
  await database.drop();
});

test('a signal ends a server that waits for the migration of another process', async () => {
  const database = await migratedDatabase();
  const holder = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
  const last = 'SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1';
  await execute(holder.db, 'DELETE FROM schema_migrations WHERE name = :name', await selectOne(holder.db, last));
  await execute(holder.db, "UPDATE migration_lease SET owner = 'another', expires_at = 9999999999999");
  const env = { DATABASE_URL: database.url, PLAT_DATA_DIR: tempFolder('migrate').path, PORT: '0' };
  const waiting = spawnNode('packages/server/src/main.ts', { env });
  await waiting.waitFor(/waiting for another process/);
  waiting.child.kill('SIGTERM');
  expect(await waiting.exited).toEqual({ code: 143, signal: null });
  await holder.close();
  await database.drop();
});

test.runIf(inject('database').kind !== 'sqlite')(
  'a migration that a long transaction delays lets other statements of its table continue meanwhile',
  async () => {
    const database = await migratedDatabase();
    const { db, ...server } = await createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });
    const read = (): Promise<unknown> => select(db, 'SELECT id FROM clients LIMIT 1');
    let hasEnded = false;
    const long = unitOfWork(db, async (transaction) => {
      await selectOne(db, 'SELECT COUNT(*) AS n FROM clients', {}, transaction);
      // Until the other read of the table is done.
      await expect.poll(() => readsAfterTheFirst).toBeGreaterThan(0);
      hasEnded = true;
    });
    let readsAfterTheFirst = 0;
    const migration = migrateFurther(db, {
      name: '9999-slow',
      up: ({ addColumn }) => addColumn('clients', 'later INTEGER NULL'),
    });
    await expect.poll(() => isWaiting(db)).toBe(true);
    await read();
    expect(hasEnded).toBe(false);
    readsAfterTheFirst++;
    await Promise.all([long, migration]);
    await select(db, 'SELECT later FROM clients LIMIT 1');
    await server.close();
    await database.drop();
  },
);

/** Returns true if a statement waits for the lock of a table. */
async function isWaiting(db: Parameters<typeof select>[0]): Promise<boolean> {
  const threads = await select<{ State: string | null }>(db, 'SHOW PROCESSLIST');
  return threads.some(({ State }) => State?.includes('metadata lock'));
}

test.runIf(inject('database').kind !== 'sqlite')(
  'in production a server and a worker refuse a schema that lacks a migration, unless they may run it',
  async () => {
    const database = await freshDatabase();
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      PLAT_DATA_DIR: tempFolder('migrate').path,
      PLAT_MASTER_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
      LOG_FORMAT: 'pretty',
    };
    const start = (...args: string[]) => spawnNode('packages/server/src/main.ts', { args, env });
    const refused = [start('serve'), start('worker')];
    for (const process of refused) {
      expect(await process.exited).toEqual({ code: 1, signal: null });
      expect(process.stderr()).toMatch(SENDS_TO);
    }
    const accepted = start('serve', '--migrate');
    await accepted.waitFor(/Base URL/);
    await accepted.stop();
    await database.drop();
  },
);
