import { createConnection } from 'mysql2/promise';
import { databaseUrl } from '../../tests/support/database-server.ts';
import { startMariadb } from '../../tests/support/mariadb.ts';

/** A private MariaDB with one empty database. */
export interface BenchDatabase {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a private MariaDB whose memory holds a million rows.
 * @param durable true: each commit waits for the disk. False hides no contestant's cost behind the disk.
 * @throws Error when this machine has no MariaDB
 */
export async function startDatabase({ durable }: { readonly durable: boolean }): Promise<BenchDatabase> {
  const server = await startMariadb();
  const { host, port, user, password } = server;
  const connection = await createConnection({ host, port, user, password });
  try {
    await connection.query('SET GLOBAL innodb_buffer_pool_size = 1073741824');
    await connection.query('SET GLOBAL innodb_log_file_size = 536870912');
    await connection.query(`SET GLOBAL innodb_flush_log_at_trx_commit = ${durable ? 1 : 0}`);
    await connection.query('CREATE DATABASE bench');
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await connection.end();
  }
  return { url: databaseUrl(server, 'bench'), pid: server.pid, stop: () => server.stop() };
}
