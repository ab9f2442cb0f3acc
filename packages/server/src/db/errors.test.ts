import {
  ConnectionAcquireTimeoutError,
  ConnectionRefusedError,
  DatabaseError,
  UniqueConstraintError,
  ValidationError,
} from 'sequelize';
import { expect, test } from 'vitest';
import { classOf, isAnswer, isConnectionUseless, isNotElected, violates } from './errors.ts';

const failure = (of: object) => new DatabaseError(Object.assign(new Error('refused'), { sql: '', ...of }));

test.each([
  [{ errno: 1213 }, 'conflict'],
  [{ errno: 1290 }, 'read_only'],
  [{ errno: 1874 }, 'read_only'],
  [{ errno: 3100 }, 'read_only'],
  [{ code: 'SQLITE_READONLY', errno: 8 }, 'read_only'],
  [{ errno: 1114 }, 'full'],
  [{ code: 'SQLITE_FULL', errno: 13 }, 'full'],
  [{ errno: 1047 }, 'unreachable'],
  [{ errno: -104, code: 'ECONNRESET' }, 'unreachable'],
  [{ fatal: true }, 'unreachable'],
  [{ errno: 1969 }, 'timeout'],
  [{ errno: 3024 }, 'timeout'],
  [{ code: 'SQLITE_BUSY', errno: 5 }, 'timeout'],
  [{ errno: 1062 }, null],
])('the error %j of a driver is of the class %s', (of, expected) => {
  expect(classOf(failure(of))).toBe(expected);
});

test('a number of SQLite is not read as a number of MySQL', () => {
  // SQLITE_IOERR_FSTAT has the number of a read-only MySQL server.
  expect(classOf(failure({ code: 'SQLITE_IOERR', errno: 1290 }))).toBe('unreachable');
});

test('an error without a number is of the class of its type', () => {
  const parent = new Error('no');
  expect(classOf(new ConnectionAcquireTimeoutError(parent))).toBe('timeout');
  expect(classOf(new ConnectionRefusedError(parent))).toBe('unreachable');
  expect(classOf(new ValidationError('no', []))).toBe(null);
  expect(classOf(parent)).toBe(null);
});

test.each([
  ['Got error 149 "Lock deadlock; Retry transaction" during COMMIT', 'conflict'],
  ['Got error 1149 "Transaction not registered" during COMMIT', 'unreachable'],
])('a commit that failed with %j may only be repeated when it was rolled back', (message, expected) => {
  expect(classOf(failure({ errno: 1180, message }))).toBe(expected);
});

test('a connection to a replica, and a lost one, is useless', () => {
  expect((['read_only', 'unreachable'] as const).map(isConnectionUseless)).toEqual([true, true]);
  expect((['conflict', 'full', 'timeout'] as const).map(isConnectionUseless)).toEqual([false, false, false]);
});

test('a server answers with a positive number; errors of sockets have a negative one', () => {
  expect([1290, -111].map((errno) => isAnswer(failure({ errno })))).toEqual([true, false]);
});

test('a replica, and a node of Galera that has lost the others, accepts no changes', () => {
  expect([1290, 1047, 2006].map((errno) => isNotElected(failure({ errno })))).toEqual([true, true, false]);
});

test.each([
  ['SQLITE_CONSTRAINT: UNIQUE constraint failed: users.tenant_id, users.email', true],
  ['SQLITE_CONSTRAINT: UNIQUE constraint failed: users.tenant_id, users.email, users.id', false],
  ['SQLITE_CONSTRAINT: UNIQUE constraint failed: users.tenant_id, users.id', false],
  ["Duplicate entry 'a' for key 'users_email'", true],
  ["Duplicate entry 'a' for key 'users.users_email'", true],
  ["Duplicate entry 'a' for key 'former_users_email'", false],
  ["Duplicate entry ''users_email'' for key 'users.users_name'", false],
  ["Duplicate entry 'UNIQUE constraint failed: a' for key 'users.users_email'", true],
])('%j is a collision with the index users_email: %s', (message, expected) => {
  const parent = Object.assign(new Error(message), { sql: '' });
  const error = new UniqueConstraintError({ parent, errors: [] });
  expect(violates(error, { name: 'users_email', columns: ['tenant_id', 'email'] })).toBe(expected);
});
