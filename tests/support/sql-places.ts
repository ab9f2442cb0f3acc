import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import type { FreshDatabase } from './database.ts';
import { hasPostgres, type Postgres, startPostgres } from './postgres.ts';
import type { SqlAt } from './sql-query.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * Databases in which an app may store data, for `describe.each`. On a database server it is that server; on SQLite a
 * SQLite file and a PostgreSQL, which the platform itself does not support.
 */
export function sqlPlaces(story: { readonly database: FreshDatabase }): [string, () => Promise<SqlAt>][] {
  const { kind } = inject('database');
  if (kind !== 'sqlite') return [[kind, async () => ({ mysql: story.database.url })]];
  const sqlite = async (): Promise<SqlAt> => ({ sqlite: join(tempFolder('app').path, 'app.db') });
  if (!hasPostgres()) return [['SQLite', sqlite]];
  let server: Postgres | undefined;
  afterAll(() => server?.stop());
  const postgres = async (): Promise<SqlAt> => {
    server ??= await startPostgres();
    return { postgresql: server.url };
  };
  return [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ];
}
