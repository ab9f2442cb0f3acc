import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate, readSchema } from './migrate.ts';
import { execute, select } from './sql.ts';

test('a process that starts while another one creates the table of migrations reads it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migrate-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const query = db.sequelize.query.bind(db.sequelize);
  // The other process creates the table after this one has failed to read it.
  const between = vi.spyOn(db.sequelize, 'query').mockImplementationOnce(async (...given) => {
    const failed = query(...given);
    await failed.catch(() => execute(db, 'CREATE TABLE schema_migrations (name VARCHAR(255) PRIMARY KEY)'));
    return failed;
  });
  const known = [{ name: '0001-first', up: async () => {} }];
  expect(await readSchema(db, known)).toMatchObject({ applied: [], pending: known });
  expect(between.mock.calls.length).toBeGreaterThan(3);
  await db.close();
  await rm(folder, { recursive: true });
});

test('a process whose lease another one has taken runs no further migration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-migrate-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const ran: string[] = [];
  const known = [
    {
      name: '0001-first',
      async up() {
        ran.push('first');
        // As if this process had been paused, and another one had finished meanwhile.
        await execute(db, "UPDATE migration_lease SET owner = 'another', expires_at = 0");
      },
    },
    { name: '0002-second', up: async () => void ran.push('second') },
  ];
  await expect(migrate(db, { known })).rejects.toThrow('another process took over the migration; run it again');
  expect(ran).toEqual(['first']);
  expect(await select(db, 'SELECT name FROM schema_migrations')).toEqual([{ name: '0001-first' }]);
  expect(await migrate(db, { known })).toMatchObject([{ name: '0002-second' }]);
  await db.close();
  await rm(folder, { recursive: true });
});
