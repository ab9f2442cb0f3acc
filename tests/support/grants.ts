import { fileStore } from '@plat/sdk/node';
import { type GrantStore, grantsTableSql, sqlStore } from '@plat/sdk/oauth';
import type { FreshDatabase } from './database.ts';
import { openQuery, runOnce, type SqlAt } from './sql-query.ts';
import { tempFolder } from './temp-folder.ts';

/** Serializable description of a store of grants, for another process. */
export type GrantsAt = SqlAt | { readonly folder: string };

/** A store shared by processes, and the function that closes it. */
export interface OpenStore {
  readonly store: GrantStore;
  close(): Promise<void>;
}

/** Returns a place for grants: the SQL store on a database server, the file store beside SQLite. */
export async function placeForGrants(database: FreshDatabase): Promise<GrantsAt> {
  if (database.kind === 'sqlite') return { folder: tempFolder('grants').path };
  return withGrantsTable({ mysql: database.url });
}

/** Returns the same place with its table of grants created. */
export async function withGrantsTable(at: SqlAt): Promise<GrantsAt> {
  await runOnce(at, grantsTableSql);
  return at;
}

export function openStore(at: GrantsAt): OpenStore {
  if ('folder' in at) return { store: fileStore(at.folder), close: async () => {} };
  const { dialect, query, close } = openQuery(at);
  return { store: sqlStore({ dialect, query, id: JSON.stringify(at) }), close };
}

/** Changes the stored times of a grant. */
export async function changeRecord(store: GrantStore, key: string, changes: object): Promise<void> {
  const stored = await store.get(key);
  if (!stored) throw new Error(`there is no grant ${key}`);
  const value = JSON.stringify({ ...JSON.parse(stored.value), ...changes });
  await store.compareAndSet(key, stored.version, { version: stored.version + 1, value });
}
