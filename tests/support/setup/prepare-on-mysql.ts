import { type Connection, createConnection } from 'mysql2/promise';
import { expect, inject } from 'vitest';
import { migratedSchema } from '../database.ts';
import { MARIADB_FOR_BOTH } from '../mariadb-for-both.ts';
import { isOfRows } from '../sharded-sql.ts';

declare global {
  var preparingConnection: Promise<Connection> | undefined;
}

/** A table that a migration has dropped, or that the story created. That it is missing says nothing about MySQL. */
const NO_SUCH_TABLE = 1146;

/**
 * Prepares statements on MySQL when the file of stories that sent them runs on MariaDB for both: MySQL parses each and finds its
 * tables and columns. Only statements of rows: those of sessions and schemas differ by intent, and have stories on both. Returns the
 * statements that it refuses, each with the message. Does nothing without a MySQL server.
 */
export async function refusedByMysql(statements: Iterable<string>): Promise<readonly string[]> {
  const file = expect.getState().testPath ?? '';
  if (!inject('mysql') || !MARIADB_FOR_BOTH.some((name) => file.endsWith(name))) return [];
  // Files share a process, and this module runs again for each.
  globalThis.preparingConnection ??= connect();
  const connection = await globalThis.preparingConnection;
  const refused: string[] = [];
  for (const sql of statements) {
    if (!isOfRows(sql)) continue;
    try {
      await (await connection.prepare(sql)).close();
    } catch (error) {
      const { errno, message } = error as { readonly errno?: number; readonly message: string };
      if (errno !== NO_SUCH_TABLE) refused.push(`${message}: ${sql.slice(0, 300)}`);
    }
  }
  return refused;
}

async function connect(): Promise<Connection> {
  const server = inject('mysql');
  if (!server) throw new Error('the project provides no MySQL server');
  const { url } = await migratedSchema(server);
  const connection = await createConnection(url);
  // The server ends before this process, which does not wait for it.
  connection.on('error', () => {});
  return connection;
}
