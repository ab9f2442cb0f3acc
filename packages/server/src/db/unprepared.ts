import type { Connection } from './sequelize-internals.ts';

/** The server has prepared `max_prepared_stmt_count` statements, for all processes together. */
const ER_MAX_PREPARED_STMT_COUNT_REACHED = 1461;

/**
 * Makes a connection send all statements as text, with their values written into them. A Galera node that prepares a
 * statement may lose the error of a conflict with another node. The transaction then ends half-done (decision 024).
 */
export function sendAsText(connection: Connection): void {
  const { query } = connection;
  connection.execute = (sql, values, done) => query.call(connection, { sql, values }, done);
}

/** Makes a connection send a statement as text, with its values written into it, when the server prepares no more. */
export function sendUnprepared(connection: Connection): void {
  const { query, execute } = connection;
  // Sequelize uses the returned command of mysql2.
  connection.execute = (text, values, done) =>
    execute.call(connection, text, values, (error, answer) => {
      const isOverLimit = error !== null && 'errno' in error && error.errno === ER_MAX_PREPARED_STMT_COUNT_REACHED;
      if (isOverLimit) query.call(connection, { sql: text, values }, done);
      else done(error, answer);
    });
}
