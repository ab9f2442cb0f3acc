import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { select, type TestServer } from '@plat/server/testing';

/** Returns the names of all tables. */
export async function tablesOf({ db }: Pick<TestServer, 'db'>): Promise<readonly string[]> {
  const sql =
    db.kind === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
  return (await select<{ name: string }>(db, sql)).map(({ name }) => name);
}

/** Returns every value of every row of every table, byte for byte as latin1. */
export async function dumpOf({ db }: Pick<TestServer, 'db'>): Promise<string> {
  const values: string[] = [];
  for (const table of await tablesOf({ db })) {
    for (const row of await select<Record<string, unknown>>(db, `SELECT * FROM ${table}`)) {
      for (const [column, value] of Object.entries(row)) values.push(`${table}.${column}=${bytesOf(value)}`);
    }
  }
  return values.join('\n');
}

/**
 * Returns the contents of the files of a SQLite database, deleted rows included; an empty string for other databases.
 */
export function sqliteFiles(url: string): string {
  if (!url.startsWith('sqlite:')) return '';
  const folder = dirname(url.slice('sqlite:'.length));
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

function bytesOf(value: unknown): string {
  return value instanceof Uint8Array
    ? Buffer.from(value).toString('latin1')
    : Buffer.from(String(value)).toString('latin1');
}
