import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { DataTypes, type Options, Sequelize } from 'sequelize';
import { expect, test } from 'vitest';
import { runPrepared } from './prepared.ts';
import { isLogged, logStatements, replaceConnections } from './sequelize-internals.ts';
import { shortenTransactions } from './short-transactions.ts';

/** A Sequelize for MySQL on a driver that answers each statement with success, and records it with its connection. */
function sequelizeOnFakeDriver() {
  const sent: string[] = [];
  const opened: object[] = [];
  let connections = 0;
  const dialectModule = {
    createConnection(options: object) {
      opened.push(options);
      const number = ++connections;
      const connection = Object.assign(new EventEmitter(), {
        stream: { destroyed: false },
        query(sql: string | { readonly sql: string }, done: (error: null, rows: object[]) => void) {
          sent.push(`${number} query ${typeof sql === 'string' ? sql : sql.sql}`);
          queueMicrotask(() => done(null, []));
          return connection;
        },
        execute(sql: string, values: readonly unknown[], done: (error: null, answer: object) => void) {
          sent.push(`${number} execute ${sql} ${values.join(' ')}`);
          queueMicrotask(() => done(null, { affectedRows: 1 }));
          return connection;
        },
        end: (done: () => void) => done(),
      });
      setImmediate(() => connection.emit('connect'));
      return connection;
    },
  };
  // With these two options, which its types omit, Sequelize sends no additional statements.
  const quiet = { databaseVersion: '9.0.0', keepDefaultTimezone: true };
  const options: Options = { dialectModule, logging: false, pool: { max: 2 }, ...quiet };
  const sequelize = new Sequelize('mysql://user@127.0.0.1/database', options);
  shortenTransactions(sequelize);
  return { sequelize, sent, opened };
}

test('Sequelize begins and commits a transaction by our statements, and gives access to its connection', async () => {
  const { sequelize, sent } = sequelizeOnFakeDriver();
  const transaction = await sequelize.transaction();
  await runPrepared(sequelize, 'UPDATE a SET b = :b', { b: 1 }, transaction);
  await runPrepared(sequelize, 'SELECT :c', { c: 2 }, null);
  await transaction.commit();
  expect(sent).toEqual([
    '1 query START TRANSACTION',
    '1 execute UPDATE a SET b = ? 1',
    '2 execute SELECT ? 2',
    '1 query COMMIT',
  ]);
  await sequelize.close();
});

test('a connection of the pool is returned', async () => {
  const { sequelize, sent } = sequelizeOnFakeDriver();
  for (const value of [1, 2, 3]) await runPrepared(sequelize, 'SELECT :value', { value }, null);
  expect(sent).toEqual(['1 execute SELECT ? 1', '1 execute SELECT ? 2', '1 execute SELECT ? 3']);
  await sequelize.close();
});

test('logged statements contain their values, and transactions then run as in Sequelize', async () => {
  const { sequelize, sent } = sequelizeOnFakeDriver();
  const model = sequelize.define(
    'a',
    { b: DataTypes.STRING, c: DataTypes.BLOB },
    { tableName: 'a', timestamps: false },
  );
  const statements: string[] = [];
  const stop = logStatements(sequelize, (statement) => statements.push(statement));
  expect(isLogged(sequelize)).toBe(true);
  await sequelize.transaction(async (transaction) => {
    await model.update({ b: "it's", c: Buffer.from([1]) }, { where: { b: 'x' }, transaction });
  });
  expect(statements).toEqual([
    'START TRANSACTION;',
    "UPDATE `a` SET `b`='it\\'s',`c`=X'01' WHERE `b` = 'x'",
    'COMMIT;',
  ]);
  stop();
  expect(isLogged(sequelize)).toBe(false);
  await sequelize.transaction(async () => undefined);
  expect(statements).toHaveLength(3);
  expect(sent.slice(-2)).toEqual(['1 query START TRANSACTION', '1 query COMMIT']);
  await sequelize.close();
});

test('the pool opens connections by our function, and replaces one that is not usable before it lends it', async () => {
  const { sequelize, sent, opened } = sequelizeOnFakeDriver();
  const sockets: unknown[] = [];
  let unusable = 0;
  const open = replaceConnections(sequelize, {
    connect() {
      const socket = new Socket();
      sockets.push(socket);
      return open({ host: 'other', port: 3307 }, socket);
    },
    isUsable: async () => ++unusable !== 2,
  });
  for (const value of [1, 2]) await runPrepared(sequelize, 'SELECT :value', { value }, null);
  expect(sent).toEqual(['1 execute SELECT ? 1', '2 execute SELECT ? 2']);
  expect(opened).toMatchObject(sockets.map((stream) => ({ host: 'other', port: 3307, stream })));
  await sequelize.close();
});
