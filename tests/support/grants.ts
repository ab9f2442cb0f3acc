import { fileStore } from '@plat/sdk/node';
import { type GrantStore, sqlStore } from '@plat/sdk/oauth';
import { createConnection, createPool } from 'mysql2/promise';
import type { FreshDatabase } from './database.ts';
import { tempFolder } from './temp-folder.ts';

/** Where grants are kept, in words that another process understands: a database, or a folder. */
export type GrantsAt = { readonly mysql: string } | { readonly folder: string };

/** A store that works between processes, and what ends it. */
export interface OpenStore {
  readonly store: GrantStore;
  close(): Promise<void>;
}

/** The table of docs/acting-for-many-tenants.md. */
const TABLE = `CREATE TABLE plat_grants (
  grant_key VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  value TEXT NOT NULL
)`;

/** A place for grants: the SQL store on a database server, the file store beside SQLite. */
export async function placeForGrants(database: FreshDatabase): Promise<GrantsAt> {
  if (database.kind === 'sqlite') return { folder: tempFolder('grants').path };
  const connection = await createConnection(database.url);
  await connection.query(TABLE);
  await connection.end();
  return { mysql: database.url };
}

export function openStore(at: GrantsAt): OpenStore {
  if ('folder' in at) return { store: fileStore(at.folder), close: async () => {} };
  const pool = createPool({ uri: at.mysql, connectionLimit: 4 });
  const query = (sql: string, values: readonly (string | number)[]) => pool.execute(sql, [...values]);
  return { store: sqlStore({ query, id: at.mysql }), close: () => pool.end() };
}

/** Changes what the store has of a grant: its times, in tests. */
export async function changeRecord(store: GrantStore, key: string, changes: object): Promise<void> {
  const stored = await store.get(key);
  if (!stored) throw new Error(`there is no grant ${key}`);
  const value = JSON.stringify({ ...JSON.parse(stored.value), ...changes });
  await store.compareAndSet(key, stored.version, { version: stored.version + 1, value });
}
