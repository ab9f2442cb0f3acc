import { DatabaseSync } from 'node:sqlite';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';

/** Serializable description of an app's database, for another process. */
export type SqlAt =
  | { readonly mysql: string; readonly isolation?: 'SERIALIZABLE' }
  | { readonly postgresql: string }
  | { readonly sqlite: string };

/** A query function as in the docs of the driver, and the function that closes the connection. */
export interface OpenQuery {
  readonly dialect: 'mysql' | 'postgresql' | 'sqlite';
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  close(): Promise<void>;
}

export function openQuery(at: SqlAt): OpenQuery {
  if ('sqlite' in at) return openSqlite(at.sqlite);
  if ('postgresql' in at) {
    const pool = new Pool({ connectionString: at.postgresql, max: 4 });
    return { dialect: 'postgresql', query: (sql, values) => pool.query(sql, [...values]), close: () => pool.end() };
  }
  const pool = createPool({ uri: at.mysql, connectionLimit: 4 });
  const { isolation } = at;
  if (isolation) pool.on('connection', (c) => void c.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${isolation}`));
  return { dialect: 'mysql', query: (sql, values) => pool.execute(sql, [...values]), close: () => pool.end() };
}

/** Runs one statement that creates a table. */
export async function runOnce(at: SqlAt, sqlOf: (dialect: OpenQuery['dialect']) => string): Promise<void> {
  const { dialect, query, close } = openQuery(at);
  await query(sqlOf(dialect), []);
  await close();
}

function openSqlite(file: string): OpenQuery {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return {
    dialect: 'sqlite',
    query(sql, values) {
      const statement = database.prepare(sql);
      return sql.startsWith('SELECT') ? statement.all(...values) : statement.run(...values);
    },
    close: async () => database.close(),
  };
}
