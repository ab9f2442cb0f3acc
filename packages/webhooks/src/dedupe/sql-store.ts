import { hasChanged, repeatedOnConflict, rowsOf } from '@plat/contract';
import { checkOptions } from '../options.ts';
import { checkFunction, type SqlDialect, type SqlQuery, sqlOf } from './sql-dialect.ts';
import type { DedupeStore } from './store.ts';

/** Options of {@link createSqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement, outside of your transactions. A SELECT must read from the server that the other statements write
   * to: not from a replica, nor through a proxy that sends it to one.
   */
  readonly query: SqlQuery;
  /** Kind of the database. Placeholders are `$1` in PostgreSQL, else `?`. */
  readonly dialect: SqlDialect;
  /** Name of the table; `plat_webhook_claims` when absent. Create it with {@link claimsTableSql}. */
  readonly table?: string | undefined;
  /** Clock in milliseconds; `Date.now` by default. Processes that share the table need clocks that agree. */
  readonly now?: (() => number) | undefined;
}

const TABLE = 'plat_webhook_claims';

/**
 * Returns the statement that creates the table of {@link createSqlStore}, for your migration.
 * @throws {WebhookConfigurationError} `OPTION_INVALID` for an unknown dialect, and for a table name that needs quotes
 */
export function claimsTableSql(dialect: SqlDialect, table = TABLE): string {
  const { key, engine } = sqlOf(dialect, table);
  return `CREATE TABLE IF NOT EXISTS ${table} (id ${key} NOT NULL PRIMARY KEY, token VARCHAR(36) NOT NULL, completed INTEGER NOT NULL, expires_at BIGINT NOT NULL)${engine}`;
}

/**
 * Creates a store in a table of your database, with your query function: MySQL, MariaDB, PostgreSQL, SQLite. Each step
 * is one statement, except the claim, which reads after it has written. A statement that the database refused because
 * of a concurrent one (a deadlock, a certification failure of Galera, a serialization failure, a locked file) runs up to
 * eight times. Expired rows stay until you delete them: `DELETE FROM plat_webhook_claims WHERE expires_at < …` with milliseconds
 * since the epoch. In MySQL and MariaDB, add `LIMIT 1000` and repeat it until no row is left: claims wait for a long DELETE,
 * and on a Galera cluster they roll it back.
 *
 * @example
 * await pool.query(claimsTableSql('postgresql'));
 * const store = createSqlStore({ dialect: 'postgresql', query: (sql, values) => pool.query(sql, [...values]) });
 *
 * @throws {WebhookConfigurationError} `OPTION_INVALID`
 */
export function createSqlStore(options: SqlStoreOptions): DedupeStore {
  checkOptions('createSqlStore', options, { query: true, dialect: true, table: true, now: true });
  const { dialect, now = Date.now } = options;
  checkFunction('query', options.query);
  const query = repeatedOnConflict(options.query);
  const { table, placeholder } = sqlOf(dialect, options.table ?? TABLE);
  const at = (first: number, count: number) => Array.from({ length: count }, (_, i) => placeholder(first + i));
  const claim = claimSql(dialect, table, placeholder);
  const select = `SELECT token, completed FROM ${table} WHERE id = ${placeholder(1)}`;
  const [until, keyOfUpdate, tokenOfUpdate] = at(1, 3);
  const complete = `UPDATE ${table} SET completed = 1, expires_at = ${until} WHERE id = ${keyOfUpdate} AND token = ${tokenOfUpdate} AND completed = 0`;
  const [key, token] = at(1, 2);
  const release = `DELETE FROM ${table} WHERE id = ${key} AND token = ${token} AND completed = 0`;
  const forget = `DELETE FROM ${table} WHERE id = ${key} AND completed = 1`;
  const changes = async (sql: string, values: readonly (string | number)[]): Promise<boolean> =>
    hasChanged(await query(sql, values));

  return Object.freeze<DedupeStore>({
    async claim(given) {
      const time = Math.floor(now());
      await query(claim, valuesOf(dialect, given.key, given.token, time, after(time, given.leaseSeconds)));
      const [row] = rowsOf(await query(select, [given.key]), 'token', 'completed');
      if (row?.token === given.token) return 'claimed';
      return Number(row?.completed) === 1 ? 'completed' : 'in_progress';
    },
    complete: (given) => changes(complete, [after(Math.floor(now()), given.ttlSeconds), given.key, given.token]),
    release: (given) => changes(release, [given.key, given.token]),
    forget: (given) => changes(forget, [given.key]),
  });
}

/** Returns a time in whole milliseconds, because PostgreSQL refuses a fraction in a BIGINT. */
function after(time: number, seconds: number): number {
  return time + Math.ceil(seconds * 1000);
}

/** Takes an expired row over. The values are those of {@link valuesOf}. */
function claimSql(dialect: SqlDialect, table: string, placeholder: (index: number) => string): string {
  const [key, token, until, now] = [1, 2, 3, 4].map(placeholder);
  const insert = `INSERT INTO ${table} (id, token, completed, expires_at) VALUES (${key}, ${token}, 0, ${until})`;
  // MySQL has no condition on the update. It assigns from left to right: the time that the others compare comes last.
  return dialect === 'mysql'
    ? `${insert} ON DUPLICATE KEY UPDATE token = IF(expires_at <= ?, ?, token),
        completed = IF(expires_at <= ?, 0, completed), expires_at = IF(expires_at <= ?, ?, expires_at)`
    : `${insert} ON CONFLICT (id) DO UPDATE SET token = excluded.token, completed = 0, expires_at = excluded.expires_at
        WHERE ${table}.expires_at <= ${now}`;
}

function valuesOf(dialect: SqlDialect, key: string, token: string, now: number, until: number): (string | number)[] {
  return dialect === 'mysql' ? [key, token, until, now, token, now, now, until] : [key, token, until, now];
}
