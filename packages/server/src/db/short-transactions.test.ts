import { Sequelize, type Transaction } from 'sequelize';
import { expect, test } from 'vitest';
import { classOf } from './errors.ts';
import { refusalOf, shortenTransactions, UnknownOutcomeError } from './short-transactions.ts';

interface Queries {
  startTransaction(transaction: Transaction, options: object): Promise<void>;
  commitTransaction(transaction: Transaction, options: object): Promise<void>;
}

/** The queries of a Sequelize that never connects, on a connection that answers statements with these errors. */
function queriesOn(failureOf: (text: string) => object | null) {
  const sequelize = new Sequelize('mysql://nobody@127.0.0.1/none', { logging: false });
  shortenTransactions(sequelize);
  const queries = sequelize.getQueryInterface() as unknown as Queries;
  const sent: string[] = [];
  const connection = {
    query(text: string, done: (error: Error | null) => void) {
      sent.push(text);
      const failure = failureOf(text);
      done(failure && Object.assign(new Error('refused'), failure));
    },
  };
  return { queries, transaction: { connection } as unknown as Transaction, sent };
}

test('a transaction begins and is committed by one statement each', async () => {
  const { queries, transaction, sent } = queriesOn(() => null);
  await queries.startTransaction(transaction, {});
  await queries.commitTransaction(transaction, {});
  expect(sent).toEqual(['START TRANSACTION', 'COMMIT']);
});

test('a conflict that a cluster finds at the commit keeps its number, so that the work is repeated', async () => {
  const { queries, transaction, sent } = queriesOn((text) => (text === 'COMMIT' ? { errno: 1213 } : null));
  await queries.commitTransaction(transaction, {});
  expect(classOf(refusalOf(transaction))).toBe('conflict');
  expect(sent).toEqual(['COMMIT', 'ROLLBACK']);
});

test('a deadlock that the storage engine finds at the commit is a conflict, and every other error there an unknown result', async () => {
  const failing = (text: string) => queriesOn((sent) => (sent === 'COMMIT' ? { errno: 1180, message: text } : null));
  const deadlock = failing("Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT");
  await deadlock.queries.commitTransaction(deadlock.transaction, {});
  expect(classOf(refusalOf(deadlock.transaction))).toBe('conflict');
  const unknown = failing("Got error 5 - 'Input/output error' during COMMIT");
  const thrown = await unknown.queries.commitTransaction(unknown.transaction, {}).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(UnknownOutcomeError);
  expect(classOf(thrown)).toBe('unreachable');
});

test('a refused commit keeps its class when its rollback fails too', async () => {
  const { queries, transaction } = queriesOn((text) => (text === 'COMMIT' ? { errno: 1213 } : { fatal: true }));
  const thrown = await queries.commitTransaction(transaction, {}).catch((error: unknown) => error);
  expect(classOf(thrown)).toBe('conflict');
});

test('a lost connection is a connection error at the beginning, and an unknown result at the commit', async () => {
  const { queries, transaction } = queriesOn(() => ({ fatal: true }));
  const [begin, commit] = await Promise.all([
    queries.startTransaction(transaction, {}).catch((error: unknown) => error),
    queries.commitTransaction(transaction, {}).catch((error: unknown) => error),
  ]);
  expect([begin, commit].map(classOf)).toEqual(['unreachable', 'unreachable']);
  expect([begin, commit].map((error) => error instanceof UnknownOutcomeError)).toEqual([false, true]);
});
