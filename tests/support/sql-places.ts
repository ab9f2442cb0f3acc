import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { type FreshDatabase, freshDatabase } from './database.ts';
import { hasPostgres, type Postgres, startPostgres } from './postgres.ts';
import { openQuery, type SqlAt } from './sql-query.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * Databases in which an app may store data, for `describe.each`. On a database server it is that server; on SQLite a
 * SQLite file and a PostgreSQL, which the platform itself does not support. Each server comes with its own default of
 * isolation, and with SERIALIZABLE.
 */
export function sqlPlaces(story: { readonly database: FreshDatabase }): [string, () => Promise<SqlAt>][] {
  const { kind } = inject('database');
  if (kind !== 'sqlite') {
    let own: FreshDatabase | undefined;
    afterAll(() => own?.drop());
    const serializable = async (): Promise<SqlAt> => {
      own ??= await freshDatabase();
      return { mysql: own.url, isolation: 'SERIALIZABLE' };
    };
    return [
      [kind, async () => ({ mysql: story.database.url })],
      [`${kind} with SERIALIZABLE`, serializable],
    ];
  }
  const sqlite = async (): Promise<SqlAt> => ({ sqlite: join(tempFolder('app').path, 'app.db') });
  if (!hasPostgres()) return [['SQLite', sqlite]];
  let server: Postgres | undefined;
  afterAll(() => server?.stop());
  const postgres = async () => {
    server ??= await startPostgres();
    return { postgresql: server.url };
  };
  return [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
    ['PostgreSQL with SERIALIZABLE as its default', async () => serializable(await postgres())],
  ];
}

/** Returns a new database on the same server. */
async function serializable(at: { readonly postgresql: string }): Promise<SqlAt> {
  const { query, close } = openQuery(at);
  const database = `serializable_${randomBytes(6).toString('hex')}`;
  await query(`CREATE DATABASE ${database}`, []);
  await query(`ALTER DATABASE ${database} SET default_transaction_isolation = 'serializable'`, []);
  await close();
  return { postgresql: at.postgresql.replace(/[^/]+$/, database) };
}
