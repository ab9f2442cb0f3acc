import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { measureInto } from '../kernel/meter.ts';
import { type Database, openDatabase } from './database.ts';
import { classOf, violates } from './errors.ts';
import { execute, select, selectOne } from './sql.ts';
import { unitOfWork } from './unit-of-work.ts';

let folder: string;
let db: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plat-sqlite-'));
  db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'test.db') });
  await execute(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, bytes BLOB)');
  await execute(db, 'CREATE UNIQUE INDEX t_a_b ON t (a, b)');
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

test('values are read back unchanged', async () => {
  const values = { a: "quote ' backslash \\ percent % 😀 \n", b: null, bytes: Buffer.from([0, 255, 39]) };
  await execute(db, 'INSERT INTO t (id, a, b, bytes) VALUES (1, :a, :b, :bytes)', values);
  const row = await selectOne<{ a: string; b: null; bytes: Uint8Array }>(db, 'SELECT a, b, bytes FROM t');
  expect(row).toMatchObject({ a: values.a, b: null });
  expect(Buffer.from(row?.bytes ?? [])).toEqual(values.bytes);
});

test('a change returns the number of changed rows', async () => {
  await execute(db, "INSERT INTO t (id, a) VALUES (1, 'x'), (2, 'y'), (3, 'z')");
  expect(await execute(db, "UPDATE t SET b = 'n' WHERE id > 1")).toBe(2);
  expect(await execute(db, 'DELETE FROM t WHERE id = 9')).toBe(0);
});

test('only a failed statement formats a stack', async () => {
  const { prepareStackTrace } = Error;
  const formatted = vi.fn(() => 'a stack');
  Error.prepareStackTrace = formatted;
  try {
    await select(db, 'SELECT id FROM t');
    expect(formatted).not.toHaveBeenCalled();
    expect(Error.prepareStackTrace).toBe(formatted);
    await expect(select(db, 'SELECT nothing FROM t')).rejects.toMatchObject({ stack: 'a stack' });
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
});

test('the same statement reads the columns and rows that are there now', async () => {
  const read = () => select(db, 'SELECT * FROM t');
  await execute(db, "INSERT INTO t (id, a) VALUES (1, 'x')");
  expect(await read()).toEqual([{ id: 1, a: 'x', b: null, bytes: null }]);
  await execute(db, 'ALTER TABLE t ADD COLUMN c INTEGER DEFAULT 7');
  expect(await read()).toEqual([{ id: 1, a: 'x', b: null, bytes: null, c: 7 }]);
  await execute(db, 'DROP TABLE t');
  await expect(read()).rejects.toThrow('no such table');
  await execute(db, 'CREATE TABLE t (d TEXT)');
  expect(await read()).toEqual([]);
});

test('a unique collision is recognised by its columns', async () => {
  await execute(db, "INSERT INTO t (id, a, b) VALUES (1, 'x', 'y')");
  const error = await execute(db, "INSERT INTO t (id, a, b) VALUES (2, 'x', 'y')").catch((reason: unknown) => reason);
  expect(violates(error, { name: 't_a_b', columns: ['a', 'b'] })).toBe(true);
  expect(violates(error, { name: 't_a', columns: ['a'] })).toBe(false);
});

test('a read outside of a transaction sees nothing of it until it has committed', async () => {
  await unitOfWork(db, async (tx) => {
    await execute(db, "INSERT INTO t (id, a) VALUES (1, 'x')", {}, tx);
    expect(await select(db, 'SELECT id FROM t', {}, tx)).toHaveLength(1);
    expect(await select(db, 'SELECT id FROM t')).toHaveLength(0);
  });
  expect(await select(db, 'SELECT id FROM t')).toHaveLength(1);
});

test('a thrown error rolls everything back', async () => {
  const failing = unitOfWork(db, async (tx) => {
    await execute(db, "INSERT INTO t (id, a) VALUES (1, 'x')", {}, tx);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await select(db, 'SELECT id FROM t')).toHaveLength(0);
});

test('transactions started together run one after another, and all of them commit', async () => {
  await execute(db, "INSERT INTO t (id, a) VALUES (1, '0')");
  await Promise.all(
    Array.from({ length: 50 }, () =>
      unitOfWork(db, async (tx) => {
        const row = await selectOne<{ a: string }>(db, 'SELECT a FROM t WHERE id = 1', {}, tx);
        await execute(db, 'UPDATE t SET a = :next WHERE id = 1', { next: String(Number(row?.a) + 1) }, tx);
      }),
    ),
  );
  expect(await selectOne(db, 'SELECT a FROM t')).toEqual({ a: '50' });
});

test('a second connection to the file waits for the writer without blocking the thread', async () => {
  const other = await openDatabase({ dialect: 'sqlite', path: join(folder, 'test.db') });
  try {
    const started = Promise.withResolvers<void>();
    const commitFirst = Promise.withResolvers<void>();
    const first = unitOfWork(db, async (tx) => {
      await execute(db, "INSERT INTO t (id, a) VALUES (1, 'first')", {}, tx);
      started.resolve();
      await commitFirst.promise;
    });
    await started.promise;
    const second = execute(other, "INSERT INTO t (id, a) VALUES (2, 'second')");
    // Runs only if the thread is free while the second one waits.
    setTimeout(() => commitFirst.resolve(), 20);
    await Promise.all([first, second]);
    expect(await select(db, 'SELECT id FROM t')).toHaveLength(2);
  } finally {
    await other.close();
  }
});

test('a full disk is recognised and counted', async () => {
  const counted: unknown[] = [];
  measureInto({
    add: (name, labels) => void counted.push([name, labels]),
    set: () => {},
    observe: () => {},
    clear: () => {},
  });
  try {
    const error = await unitOfWork(db, async (tx) => {
      await db.sequelize.query('PRAGMA max_page_count = 1', { transaction: tx });
      await execute(db, 'INSERT INTO t (id, bytes) VALUES (1, zeroblob(100000))', {}, tx);
    }).catch((reason: unknown) => reason);
    expect(classOf(error)).toBe('full');
    expect(counted).toContainEqual(['plat_db_errors_total', { class: 'full' }]);
  } finally {
    measureInto(null);
  }
});
