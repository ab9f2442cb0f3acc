import { DatabaseError, type Sequelize, type Transaction } from 'sequelize';
import { toSequelizeError } from './prepared.ts';
import { loggingOf } from './sql.ts';

/** The part of a connection of mysql2 that is used here. */
interface Connection {
  query(text: string, done: (error: Error | null) => void): void;
}

/** The part of Sequelize's query interface that its types leave out. */
interface TransactionQueries {
  startTransaction(transaction: Transaction, options: object): Promise<unknown>;
  commitTransaction(transaction: Transaction, options: object): Promise<unknown>;
}

/**
 * Begins and commits transactions on MySQL by the two words themselves. Sequelize sends them as queries like any other,
 * which costs a fifth of the processor time of a small write.
 */
export function shortenTransactions(sequelize: Sequelize): void {
  const queries = sequelize.getQueryInterface() as unknown as TransactionQueries;
  const { startTransaction, commitTransaction } = queries;
  // With logging on, they belong into the log.
  const isLogged = () => loggingOf(sequelize).logging !== false;
  queries.startTransaction = (transaction, options) =>
    isLogged()
      ? startTransaction.call(queries, transaction, options)
      : send(transaction, 'START TRANSACTION', toSequelizeError);
  queries.commitTransaction = (transaction, options) =>
    isLogged() ? commitTransaction.call(queries, transaction, options) : commit(transaction);
}

const refusals = new WeakMap<Transaction, Error>();

/** Why the server rolled a transaction back when it was to commit it, as clusters do on conflicts; undefined when it did not. */
export function refusalOf(transaction: Transaction): Error | undefined {
  return refusals.get(transaction);
}

/** A refusal is no error here: Sequelize would warn on stderr, and throw a connection away that is as good as before. */
async function commit(transaction: Transaction): Promise<void> {
  try {
    // Of a lost connection too: whether it was committed is not known, so this is no refusal to connect.
    await send(transaction, 'COMMIT', (error, sql) => new CommitError(Object.assign(error, { sql })));
  } catch (error) {
    if (!(error instanceof CommitError) || error.isFatal) throw error;
    await send(transaction, 'ROLLBACK', toSequelizeError);
    refusals.set(transaction, error);
  }
}

class CommitError extends DatabaseError {
  readonly isFatal: boolean;

  constructor(parent: Error & { sql: string; fatal?: boolean }) {
    super(parent);
    this.isFatal = parent.fatal === true;
  }
}

function send(transaction: Transaction, text: string, toError: (error: Error, sql: string) => Error): Promise<void> {
  const { connection } = transaction as Transaction & { readonly connection: Connection };
  return new Promise((resolve, reject) => {
    connection.query(text, (error) => (error ? reject(toError(error, text)) : resolve()));
  });
}
