import { DatabaseSync } from 'node:sqlite';
import { fileStore } from '@plat/sdk/node';
import { type GrantStore, grantsTableSql, sqlStore } from '@plat/sdk/oauth';
import { createConnection, createPool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import type { FreshDatabase } from './database.ts';
import { tempFolder } from './temp-folder.ts';

/** Where grants are kept, in words that another process understands. */
export type GrantsAt =
  | { readonly folder: string }
  | { readonly mysql: string }
  | { readonly postgresql: string }
  | { readonly sqlite: string };

/** A store that works between processes, and what ends it. */
export interface OpenStore {
  readonly store: GrantStore;
  close(): Promise<void>;
}

/** A place for grants: the SQL store on a database server, the file store beside SQLite. */
export async function placeForGrants(database: FreshDatabase): Promise<GrantsAt> {
  if (database.kind === 'sqlite') return { folder: tempFolder('grants').path };
  const connection = await createConnection(database.url);
  await connection.query(grantsTableSql('mysql'));
  await connection.end();
  return { mysql: database.url };
}

/** A place for grants in PostgreSQL. */
export async function placeInPostgres(url: string): Promise<GrantsAt> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(grantsTableSql('postgresql'));
  await client.end();
  return { postgresql: url };
}

/** A place for grants in a file of SQLite. */
export function placeInSqlite(file: string): GrantsAt {
  const database = openSqlite(file);
  database.exec(grantsTableSql('sqlite'));
  database.close();
  return { sqlite: file };
}

export function openStore(at: GrantsAt): OpenStore {
  if ('folder' in at) return { store: fileStore(at.folder), close: async () => {} };
  if ('sqlite' in at) return openInSqlite(at.sqlite);
  if ('postgresql' in at) {
    const pool = new Pool({ connectionString: at.postgresql, max: 4 });
    const query = (sql: string, values: readonly (string | number)[]) => pool.query(sql, [...values]);
    return { store: sqlStore({ dialect: 'postgresql', query, id: at.postgresql }), close: () => pool.end() };
  }
  const pool = createPool({ uri: at.mysql, connectionLimit: 4 });
  const query = (sql: string, values: readonly (string | number)[]) => pool.execute(sql, [...values]);
  return { store: sqlStore({ query, id: at.mysql }), close: () => pool.end() };
}

/** As docs/acting-for-many-tenants.md has it. */
function openInSqlite(file: string): OpenStore {
  const database = openSqlite(file);
  const query = (sql: string, values: readonly (string | number)[]) => {
    const statement = database.prepare(sql);
    return sql.startsWith('SELECT') ? statement.all(...values) : statement.run(...values);
  };
  return { store: sqlStore({ dialect: 'sqlite', query, id: file }), close: async () => database.close() };
}

function openSqlite(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return database;
}

/** Changes what the store has of a grant: its times, in tests. */
export async function changeRecord(store: GrantStore, key: string, changes: object): Promise<void> {
  const stored = await store.get(key);
  if (!stored) throw new Error(`there is no grant ${key}`);
  const value = JSON.stringify({ ...JSON.parse(stored.value), ...changes });
  await store.compareAndSet(key, stored.version, { version: stored.version + 1, value });
}
