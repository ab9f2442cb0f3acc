import { DatabaseError, type Sequelize, type Transaction } from 'sequelize';
import { classOf } from './errors.ts';
import { toSequelizeError } from './prepared.ts';
import { connectionOf, replaceTransactionStatements } from './sequelize-internals.ts';

/**
 * Begins and commits transactions on MySQL by one statement each. Sequelize runs them as regular queries, which costs a
 * fifth of the processor time of a small write.
 */
export function shortenTransactions(sequelize: Sequelize): void {
  replaceTransactionStatements(sequelize, {
    begin: (transaction) => send(transaction, 'START TRANSACTION', toSequelizeError),
    commit,
  });
}

const refusals = new WeakMap<Transaction, Error>();

/** Returns the error with which the server rolled a transaction back at its commit, as clusters do on conflicts. */
export function refusalOf(transaction: Transaction): Error | undefined {
  return refusals.get(transaction);
}

/** Does not throw on an error: Sequelize would warn on stderr, and drop a connection that still works. */
async function commit(transaction: Transaction): Promise<void> {
  try {
    await send(transaction, 'COMMIT', toCommitError);
  } catch (error) {
    if (!(error instanceof CommitError)) throw error;
    const isRolledBack = await send(transaction, 'ROLLBACK', toSequelizeError).then(
      () => true,
      () => false,
    );
    // The connection is lost too: Sequelize drops it because of the error.
    if (!isRolledBack) throw error;
    refusals.set(transaction, error);
  }
}

/** The server refused a commit. */
class CommitError extends DatabaseError {}

/** The connection was lost, or the server failed, during a commit: the transaction may have been committed. */
export class UnknownOutcomeError extends DatabaseError {}

function toCommitError(error: Error, sql: string): DatabaseError {
  const parent = Object.assign(error, { sql });
  const refused = new CommitError(parent);
  return classOf(refused) === 'unreachable' ? new UnknownOutcomeError(parent) : refused;
}

function send(transaction: Transaction, text: string, toError: (error: Error, sql: string) => Error): Promise<void> {
  const connection = connectionOf(transaction);
  return new Promise((resolve, reject) => {
    connection.query(text, (error) => (error ? reject(toError(error, text)) : resolve()));
  });
}
