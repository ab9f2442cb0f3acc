import type { Connection } from './sequelize-internals.ts';

/** The server has prepared `max_prepared_stmt_count` statements, for all processes together. */
const ER_MAX_PREPARED_STMT_COUNT_REACHED = 1461;

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
