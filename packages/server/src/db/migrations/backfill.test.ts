import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { logStatements } from '../sequelize-internals.ts';
import { execute, select } from '../sql.ts';
import { type Backfill, backfill } from './backfill.ts';
import { type MigrationDatabase, migrationDatabase } from './columns.ts';

const PACE = { batch: 100, pausePerMs: 0, hasRowValues: true };
const FILL: Backfill = { table: 'things', column: 'twice', value: 'n * 2', key: ['tenant_id', 'id'] };

let folder: string;
let db: Database;
let migration: MigrationDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-backfill-'));
  db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  migration = migrationDatabase(db.sequelize.getQueryInterface(), 'sqlite');
  const columns = [
    'tenant_id TEXT NOT NULL',
    'id INTEGER NOT NULL',
    'n INTEGER NOT NULL',
    'PRIMARY KEY (tenant_id, id)',
  ];
  await migration.createTable('things', columns);
  await migration.addColumn('things', 'twice INTEGER NULL');
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

async function insert(tenantId: string, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, i) => `('${tenantId}', ${from + i}, ${from + i})`);
  await execute(db, `INSERT INTO things (tenant_id, id, n) VALUES ${rows.join(', ')}`);
}

const wrong = async () => (await select(db, 'SELECT * FROM things WHERE twice IS NULL OR twice <> n * 2')).length;

test('every row of every tenant is filled, in batches across tenants', async () => {
  await insert('a', 0, 130);
  await insert('b', 0, 1);
  await insert('c', 0, 270);
  const updates: string[] = [];
  const stop = logStatements(db.sequelize, (sql) => sql.startsWith('UPDATE') && updates.push(sql));
  await backfill(migration, FILL, PACE);
  stop();
  expect(await wrong()).toBe(0);
  expect(updates).toHaveLength(5);
});

test('an interrupted backfill runs again: filled rows stay, also those that a process filled meanwhile', async () => {
  await insert('a', 0, 350);
  let batches = 0;
  const killed: Pick<MigrationDatabase, 'read' | 'run'> = {
    read: migration.read,
    async run(sql, values) {
      if (++batches === 3) throw new Error('killed');
      await migration.run(sql, values);
    },
  };
  await expect(backfill(killed, FILL, PACE)).rejects.toThrow('killed');
  expect(await wrong()).toBe(150);
  await execute(db, 'UPDATE things SET twice = -1 WHERE id = 349');
  await backfill(migration, FILL, PACE);
  expect(await select(db, 'SELECT id FROM things WHERE twice <> n * 2')).toEqual([{ id: 349 }]);
});

test('rows are found by ranges of the primary key', async () => {
  await insert('a', 0, 250);
  const statements: string[] = [];
  const stop = logStatements(db.sequelize, (sql) => statements.push(sql));
  await backfill(migration, FILL, PACE);
  stop();
  expect(statements).toHaveLength(6);
  for (const statement of statements.slice(2)) {
    const plan = JSON.stringify(await select(db, `EXPLAIN QUERY PLAN ${statement}`));
    expect(plan, statement).toMatch(/SEARCH things USING PRIMARY KEY/);
    expect(plan, statement).not.toMatch(/TEMP B-TREE/);
  }
});
