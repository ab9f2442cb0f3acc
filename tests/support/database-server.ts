import { createConnection } from 'mysql2/promise';
import type { Daemon } from './daemon.ts';

export type ServerKind = 'mariadb' | 'mysql';

/**
 * Address and account of a private database server. Plain data, because it passes from the set-up to the test files.
 */
export interface ServerAddress {
  readonly kind: ServerKind;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A private database server with its address and the functions that end it. */
export interface DatabaseServer extends ServerAddress, Daemon {}

/** A password with special characters, so that a URL that does not escape it fails here. */
export const account = { user: 'plat', password: 'p@ss/w:rd#1' } as const;

/** Creates the account of the tests, as root over the socket. Both kinds of server allow this at first. */
export async function createAccount(socketPath: string): Promise<void> {
  const root = await createConnection({ socketPath, user: 'root' });
  try {
    await root.query('CREATE USER IF NOT EXISTS ?@? IDENTIFIED BY ?', [account.user, '127.0.0.1', account.password]);
    await root.query('GRANT ALL PRIVILEGES ON *.* TO ?@? WITH GRANT OPTION', [account.user, '127.0.0.1']);
  } finally {
    await root.end();
  }
}

/** Creates an empty database on a server. */
export async function createDatabase({ host, port, user, password }: ServerAddress, name: string): Promise<void> {
  const connection = await createConnection({ host, port, user, password });
  try {
    await connection.query(`CREATE DATABASE ${name}`);
  } finally {
    await connection.end();
  }
}

/** Returns the `DATABASE_URL` of one database on a server. */
export function databaseUrl(server: ServerAddress, database: string): string {
  const { user, password, host, port } = server;
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
}
