import { ConnectionAcquireTimeoutError, ConnectionRefusedError, DatabaseError, ValidationError } from 'sequelize';
import { expect, test } from 'vitest';
import { classOf } from './errors.ts';

const failure = (of: object) => new DatabaseError(Object.assign(new Error('refused'), { sql: '', ...of }));

test.each([
  [{ errno: 1213 }, 'conflict'],
  [{ errno: 1290 }, 'read_only'],
  [{ errno: 3100 }, 'read_only'],
  [{ code: 'SQLITE_READONLY', errno: 8 }, 'read_only'],
  [{ errno: 1114 }, 'full'],
  [{ code: 'SQLITE_FULL', errno: 13 }, 'full'],
  [{ errno: 1047 }, 'unreachable'],
  [{ errno: -104, code: 'ECONNRESET' }, 'unreachable'],
  [{ fatal: true }, 'unreachable'],
  [{ errno: 1969 }, 'timeout'],
  [{ errno: 3024 }, 'timeout'],
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
