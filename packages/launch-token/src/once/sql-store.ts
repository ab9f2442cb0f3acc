import { readSqlOptions, repeatedOnConflict, rowsOf, type SqlDialect } from '@plat/contract';
import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import type { OneTimeStore } from './store.ts';

// Not an alias: a compiler that writes declarations then names the type by this package.
export type { SqlDialect } from '@plat/contract';

/** Options of {@link sqlOneTimeStore}. */
export interface SqlOneTimeStoreOptions {
  /**
   * Runs one statement with its values, outside of any transaction, and returns the result of the driver. Supported for
   * a SELECT: the rows, `[rows, fields]` as mysql2 returns, or `{ rows }` as pg returns.
   */
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  /**
   * Kind of the database; `mysql` when absent, which includes MariaDB. Placeholders are `$1` in PostgreSQL, else `?`.
   */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table; `plat_used_launch_tokens` when absent. Create it with {@link usedTokensTableSql}. */
  readonly table?: string | undefined;
  /** Clock in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a store in a table of your database, with your query function. A launch costs one INSERT by primary key. Rows
 * are deleted an hour after their expiry; each process deletes at most every ten minutes.
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function sqlOneTimeStore(options: SqlOneTimeStoreOptions): OneTimeStore {
  checkNames('sqlOneTimeStore', options, { query: true, dialect: true, table: true, now: true });
  const { query, dialect = 'mysql', now = Date.now } = options;
  if (typeof query !== 'function') throw invalid('query', 'must be a function');
  const { table, placeholder } = readSqlOptions({ dialect, table: options.table ?? TABLE }, invalid);
  const repeated = repeatedOnConflict(query);
  const [first, second, third] = [1, 2, 3].map(placeholder);
  const insert = `INSERT INTO ${table} (token_key, expires_at, claim_token) VALUES (${first}, ${second}, ${third})`;
  // The aliases have no underscore: some libraries return the names of columns in camelCase.
  const select = `SELECT claim_token AS token FROM ${table} WHERE token_key = ${first}`;
  const expired = `SELECT token_key AS id FROM ${table} WHERE expires_at < ${first} LIMIT ${SWEPT_AT_ONCE}`;
  let nextSweepAt = 0;

  async function sweep(at: number): Promise<void> {
    if (at < nextSweepAt) return;
    nextSweepAt = at + SWEEP_EVERY_SECONDS;
    try {
      for (let batch = 0; batch < MOST_BATCHES; batch++) {
        const keys = rowsOf(await query(expired, [at - KEPT_EXPIRED_SECONDS]), 'id').map(({ id }) => String(id));
        if (keys.length === 0) return;
        // By key. A DELETE by time would lock the rows of other launches, which on a Galera cluster would roll it back.
        const listed = keys.map((_, index) => placeholder(index + 1)).join(', ');
        await query(`DELETE FROM ${table} WHERE token_key IN (${listed})`, keys);
      }
    } catch {
      // The token was claimed. A failed deletion of old rows must not refuse it.
    }
  }

  return Object.freeze<OneTimeStore>({
    async claim({ key, token, leaseSeconds }) {
      const at = Math.floor(now() / 1000);
      try {
        // A locked file of SQLite, a deadlock, or a conflict in a cluster refuses no launch.
        await repeated(insert, [key, at + leaseSeconds, token]);
      } catch (error) {
        // Every driver has its own error for a duplicate key. An existing row identifies a duplicate for all of them.
        const [row] = rowsOf(await query(select, [key]), 'token');
        if (row === undefined) throw error;
        // The row of this claim: the INSERT was executed, and its response was lost.
        if (row.token !== token) return 'taken';
      }
      await sweep(at);
      return 'claimed';
    },
  });
}

/**
 * Returns the statement that creates the table of {@link sqlOneTimeStore}, for your migration.
 * @param table name of the table; `plat_used_launch_tokens` when absent
 * @throws {LaunchTokenError} `OPTION_INVALID` for an unknown dialect, and when the table's name needs quotes
 */
export function usedTokensTableSql(dialect: SqlDialect, table: string = TABLE): string {
  const { key, engine } = readSqlOptions({ dialect, table }, invalid);
  return `CREATE TABLE IF NOT EXISTS ${table} (token_key ${key} NOT NULL PRIMARY KEY, expires_at BIGINT NOT NULL, claim_token VARCHAR(36))${engine}`;
}

const TABLE = 'plat_used_launch_tokens';
const SWEEP_EVERY_SECONDS = 600;
const SWEPT_AT_ONCE = 500;
/** Ends a sweep that makes no progress, for example because SELECT reads from a replica. */
const MOST_BATCHES = 100;
/** Another process with a slow clock can still accept a token that has expired here. */
const KEPT_EXPIRED_SECONDS = 3600;

function invalid(option: string, why: string): LaunchTokenError {
  return new LaunchTokenError('OPTION_INVALID', `${option} ${why}.`);
}
