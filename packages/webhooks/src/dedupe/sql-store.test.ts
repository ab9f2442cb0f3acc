import { expect, test } from 'vitest';
import { createDedupe, createSqlStore, recordHandled } from './index.ts';

test('only whole milliseconds are stored: PostgreSQL refuses a fraction in a BIGINT', async () => {
  const numbers: number[] = [];
  const query = (sql: string, values: readonly (string | number)[]) => {
    numbers.push(...values.filter((value) => typeof value === 'number'));
    return sql.startsWith('SELECT') ? [{ token: values[0], completed: 0 }] : { rowCount: 1 };
  };
  const store = createSqlStore({ query, dialect: 'postgresql', now: () => 1_000.5 });
  const dedupe = createDedupe({ store, leaseSeconds: 1 / 3, ttlSeconds: 2 / 3 });
  await dedupe.claim({ id: 'evt_1' });
  await dedupe.complete({ outcome: 'claimed', key: 'evt_1', token: 'mine' });
  expect(numbers).toEqual([1_334, 1_000, 1_667]);
});

test('placeholders have the order of the values, so that a query function may write ? for $1', async () => {
  const statements: string[] = [];
  const query = (sql: string, values: readonly (string | number)[]) => {
    statements.push(sql);
    expect(sql.match(/\$\d+/g)).toEqual(values.map((_, i) => `$${i + 1}`));
    return sql.startsWith('SELECT') ? [{ token: values[0], completed: 0 }] : { rowCount: 1 };
  };
  const store = createSqlStore({ query, dialect: 'postgresql' });
  await store.claim({ key: 'evt_1', token: 'mine', leaseSeconds: 60 });
  await store.complete({ key: 'evt_1', token: 'mine', ttlSeconds: 60 });
  await store.release({ key: 'evt_1', token: 'mine' });
  await store.forget({ key: 'evt_1' });
  await recordHandled({ id: 'evt_1' }, { query, dialect: 'postgresql' });
  expect(statements).toHaveLength(6);
});

test.each([1, 1n, '1', true])('a driver may return %s for a handled event', async (completed) => {
  const query = (sql: string) => (sql.startsWith('SELECT') ? [{ token: 'of another', completed }] : { changes: 0 });
  const store = createSqlStore({ query, dialect: 'sqlite' });
  expect((await createDedupe({ store }).claim({ id: 'evt_1' })).outcome).toBe('completed');
});

/** Errors of drivers and of libraries above them. */
const conflicts = {
  'a deadlock of mysql2': { code: 'ER_LOCK_DEADLOCK', errno: 1213, sqlState: '40001' },
  'a refused commit of Group Replication': { code: 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', errno: 3101 },
  'a serialization failure of pg': { code: '40001' },
  'a deadlock of pg, wrapped by Sequelize': { parent: { code: '40P01' } },
  'a locked file of node:sqlite': { code: 'ERR_SQLITE_ERROR', errcode: 5 },
  'a locked file of better-sqlite3': { code: 'SQLITE_BUSY' },
  'a deadlock of mysql2, wrapped by Drizzle': { cause: { errno: 1213 } },
  'a deadlock of the mariadb connector, wrapped by Prisma': {
    code: 'P2010',
    meta: { driverAdapterError: { cause: { originalCode: '1213', kind: 'TransactionWriteConflict' } } },
  },
  'a serialization failure, wrapped by the engine of Prisma': { code: 'P2010', meta: { code: '40001' } },
};

test.each(Object.entries(conflicts))('%s repeats the statement, and no step fails', async (_, fields) => {
  let fails = 0;
  const query = (sql: string, values: readonly (string | number)[]) => {
    if (++fails % 3 !== 0) throw Object.assign(new Error('conflict'), fields);
    return sql.startsWith('SELECT') ? [{ token: values[0], completed: 0 }] : { rowCount: 1 };
  };
  const store = createSqlStore({ query, dialect: 'postgresql' });
  expect(await store.claim({ key: 'mine', token: 'mine', leaseSeconds: 60 })).toBe('claimed');
  expect(await store.complete({ key: 'mine', token: 'mine', ttlSeconds: 60 })).toBe(true);
});

test('a conflict that does not end, and any other error, is thrown', async () => {
  const calls: string[] = [];
  const failing = (code: string) => (sql: string) => {
    calls.push(sql);
    return Promise.reject(Object.assign(new Error('failed'), { code }));
  };
  for (const code of ['40001', 'ECONNRESET']) {
    const store = createSqlStore({ query: failing(code), dialect: 'postgresql' });
    await expect(createDedupe({ store }).claim({ id: 'evt_1' })).rejects.toMatchObject({ code });
  }
  expect(calls).toHaveLength(8 + 1);
});

test('a query function whose rows are arrays is reported, because no event would be handled', async () => {
  const store = createSqlStore({ query: () => [[['mine', 0]], []], dialect: 'mysql' });
  await expect(createDedupe({ store }).claim({ id: 'evt_1' })).rejects.toThrow('no rows array of objects');
});

test.each([
  ['postgres.js', (count: number) => Object.assign([], { count })],
  ['pg', (rowCount: number) => ({ rows: [], rowCount })],
  ['mysql2', (affectedRows: number) => [{ affectedRows }, undefined]],
  ['node:sqlite', (changes: number) => ({ changes: BigInt(changes) })],
  ['Prisma, as the docs show', (count: number) => ({ changes: count })],
  ['Kysely', (count: number) => ({ rows: [], insertId: 7n, numAffectedRows: BigInt(count) })],
])('the number of changed rows is found in the result of %s', async (_, result) => {
  for (const count of [0, 1]) {
    const query = () => result(count);
    const store = createSqlStore({ query, dialect: 'postgresql' });
    expect(await store.release({ key: 'evt_1', token: 'mine' })).toBe(count === 1);
    expect(await recordHandled({ id: 'evt_1' }, { query, dialect: 'postgresql' })).toBe(count === 1);
  }
});

test('a number without a name is refused, because TypeORM returns the id of the inserted row like that', async () => {
  let id = 0;
  const query = () => ++id;
  for (const event of [{ id: 'evt_1' }, { id: 'evt_2' }]) {
    await expect(recordHandled(event, { query, dialect: 'sqlite' })).rejects.toThrow(
      'returned number, which can be the id of a row, for an INSERT',
    );
  }
});

test('rows without the selected columns are reported, because every claim would count as one of another process', async () => {
  const query = () => [[{ plat_webhook_claims: { token: 'mine', completed: 0 } }], []];
  const store = createSqlStore({ query, dialect: 'mysql' });
  await expect(createDedupe({ store }).claim({ id: 'evt_1' })).rejects.toThrow(
    'returned [[{ plat_webhook_claims }], []] for a SELECT: no rows array of objects with these columns',
  );
});
