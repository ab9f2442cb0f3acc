import { expect, test } from 'vitest';
import { hasChanged, rowsOf } from './sql.ts';

/** Results for one changed row, as the libraries returned them. Each has the id of the row too, where the library returns it. */
const changed = {
  pg: { command: 'INSERT', rowCount: 1, oid: 0, rows: [], fields: [] },
  'postgres.js': Object.assign([], { count: 1, command: 'INSERT' }),
  mysql2: [{ fieldCount: 0, affectedRows: 1, insertId: 7, info: '', warningStatus: 0, changedRows: 0 }, undefined],
  'mariadb connector': { affectedRows: 1, insertId: 7n, warningStatus: 0 },
  'mariadb connector, metaAsArray': [{ affectedRows: 1, insertId: 7n, warningStatus: 0 }, []],
  'better-sqlite3 and node:sqlite': { changes: 1, lastInsertRowid: 7 },
  'node:sqlite with BigInt': { changes: 1n, lastInsertRowid: 7n },
  sqlite3: { lastID: 7, changes: 1 },
  libSQL: { columns: [], columnTypes: [], rows: [], rowsAffected: 1, lastInsertRowid: 7n },
  Kysely: { insertId: 7n, numAffectedRows: 1n, rows: [] },
  'MikroORM with PostgreSQL': { affectedRows: 1, insertId: undefined, row: undefined, rows: [] },
  'TypeORM with PostgreSQL': { records: [], affected: 1, raw: [] },
  'TypeORM with MySQL': { records: [], raw: { affectedRows: 1, insertId: 7 }, affected: 1 },
  'TypeORM with SQLite': { records: [], affected: 1, raw: 7 },
};
const one = /^(affectedRows|rowCount|changes|count|rowsAffected|affected|numAffectedRows)$/;

/** Returns a copy in which the number of changed rows is 0. */
function without(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const fields = Object.entries(result).map(([name, value]) => [
    name,
    one.test(name) ? (typeof value === 'bigint' ? 0n : 0) : without(value),
  ]);
  return Object.assign(Array.isArray(result) ? [] : {}, Object.fromEntries(fields));
}

test.each(Object.entries(changed))('the result of %s for a changed row and for none is read', (_, result) => {
  expect(hasChanged(result)).toBe(true);
  expect(hasChanged(without(result))).toBe(false);
});

/** Results from which the number of changed rows cannot be read safely. */
const unread: readonly (readonly [string, unknown, string])[] = [
  ['TypeORM with better-sqlite3 (an insert id)', 1, 'number, which can be the id of a row,'],
  ['Prisma (a count without a name)', 0, 'number, which can be the id of a row,'],
  ['an insert id as BigInt', 1n, 'bigint, which can be the id of a row,'],
  ['Sequelize with MySQL (insert id and count)', [7, 1], '[number, number]'],
  ['Sequelize with PostgreSQL', [[], 1], '[[], number]'],
  ['TypeORM with PostgreSQL, and all that return only rows', [], '[]'],
  ['Sequelize for a DELETE', undefined, 'undefined'],
  ['an id that is named as a count', { changes: 7 }, 'a count of 7'],
  ['pg for a statement without a count', { command: 'BEGIN', rowCount: null }, '{ command, rowCount }'],
  ['a driver that reports NaN', { affectedRows: Number.NaN }, 'a count of NaN'],
];

test.each(unread)('the result of %s is refused with its shape', (_, result, shape) => {
  expect(() => hasChanged(result)).toThrow(`the query function returned ${shape} for an INSERT, UPDATE or DELETE`);
  expect(() => hasChanged(result)).toThrow('Return for example { changes: 1 }.');
});

const row = { token: 'a', completed: 0 };

test.each([
  ['postgres.js, TypeORM, Prisma, MikroORM', [row]],
  ['pg', { command: 'SELECT', rowCount: 1, rows: [row], fields: [] }],
  ['mysql2', [[row], [{ name: 'token' }]]],
  ['libSQL', { columns: ['token', 'completed'], rows: [row], rowsAffected: 0, lastInsertRowid: undefined }],
  ['the structured results of TypeORM', { records: [row], raw: [row] }],
  ['node:sqlite', [Object.assign(Object.create(null), row)]],
])('the rows of %s are read', (_, result) => {
  expect(rowsOf(result, 'token', 'completed')).toEqual([row]);
});

test.each([
  ['the option rowsAsArray of mysql2', [[['secret', 0]], []], '[[[string, number]], []]'],
  ['the option nestTables of mysql2', [[{ claims: row }], []], '[[{ claims }], []]'],
  ['columns in camelCase', [{ Token: 'secret', completed: 0 }], '[{ Token, completed }]'],
  ['one row', row, '{ token, completed }'],
  ['a count', { changes: 1, lastInsertRowid: 7 }, '{ changes, lastInsertRowid }'],
  ['no result', null, 'null'],
])('a result with %s is refused with its shape, and without its values', (_, result, shape) => {
  expect(() => rowsOf(result, 'token', 'completed')).toThrow(
    `the query function returned ${shape} for a SELECT: no rows array of objects with these columns. Return [{ token, completed }] or { rows: [{ token, completed }] }.`,
  );
});
