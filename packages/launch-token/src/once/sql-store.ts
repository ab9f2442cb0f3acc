import { LaunchTokenError } from '../errors.ts';
import { checkNames } from '../option-names.ts';
import type { OneTimeStore } from './store.ts';

/** Databases that {@link sqlOneTimeStore} speaks to: `mysql` is MariaDB too. */
export type SqlDialect = 'mysql' | 'postgresql' | 'sqlite';

/** Settings of {@link sqlOneTimeStore}. */
export interface SqlOneTimeStoreOptions {
  /**
   * Runs one statement with its values, outside of any transaction of yours, and returns what the driver does: for a SELECT
   * the rows, `[rows, fields]` as mysql2 returns, or `{ rows }` as pg does.
   */
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  /** What the database is; `mysql`, which is MariaDB too, when absent. Values are `$1` in PostgreSQL, else `?`. */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table; `plat_used_launch_tokens` when absent. {@link usedTokensTableSql} makes it. */
  readonly table?: string | undefined;
  /** The clock, in milliseconds: `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * A store in a table of your database, through your own query function. A launch costs one INSERT by primary key. Rows are
 * deleted an hour after they have expired; each process does so every ten minutes at most.
 *
 * @throws {LaunchTokenError} `OPTION_INVALID`
 */
export function sqlOneTimeStore(options: SqlOneTimeStoreOptions): OneTimeStore {
  checkNames('sqlOneTimeStore', options, { query: true, dialect: true, table: true, now: true });
  const { query, dialect = 'mysql', table = DEFAULT_TABLE, now = Date.now } = options;
  if (typeof query !== 'function') throw invalid('query has to be a function.');
  checkTable(table);
  const [first, second] = placeholdersOf(dialect);
  const insert = `INSERT INTO ${table} (token_key, expires_at) VALUES (${first}, ${second})`;
  const select = `SELECT token_key FROM ${table} WHERE token_key = ${first}`;
  const remove = `DELETE FROM ${table} WHERE expires_at < ${first}`;
  let nextSweepAt = 0;

  async function sweep(at: number): Promise<void> {
    if (at < nextSweepAt) return;
    nextSweepAt = at + SWEEP_EVERY_SECONDS;
    try {
      await query(remove, [at - KEPT_EXPIRED_SECONDS]);
    } catch {
      // The token was taken: that old rows stay for now is no reason to refuse it.
    }
  }

  return Object.freeze({
    async claim({ key, leaseSeconds }: { key: string; leaseSeconds: number }): Promise<string> {
      const at = Math.floor(now() / 1000);
      try {
        await query(insert, [key, at + leaseSeconds]);
      } catch (error) {
        // Every driver has its own error for a duplicate key. An existing row identifies one with all of them.
        if (hasRow(await query(select, [key]))) return 'taken';
        throw error;
      }
      await sweep(at);
      return 'claimed';
    },
  });
}

/**
 * Returns the statement that makes the table of {@link sqlOneTimeStore}, for a migration of yours.
 *
 * @param table name of the table; `plat_used_launch_tokens` when absent
 * @throws {LaunchTokenError} `OPTION_INVALID` for an unknown dialect, and when the table's name needs quotes
 */
export function usedTokensTableSql(dialect: SqlDialect, table: string = DEFAULT_TABLE): string {
  checkTable(table);
  placeholdersOf(dialect);
  const ascii = dialect === 'mysql' ? ' CHARACTER SET ascii COLLATE ascii_bin' : '';
  return `CREATE TABLE IF NOT EXISTS ${table} (token_key VARCHAR(200)${ascii} NOT NULL PRIMARY KEY, expires_at BIGINT NOT NULL)`;
}

const DEFAULT_TABLE = 'plat_used_launch_tokens';
const SWEEP_EVERY_SECONDS = 600;
/** Another process whose clock is behind may still take a token that has expired here. */
const KEPT_EXPIRED_SECONDS = 3600;

function placeholdersOf(dialect: SqlDialect): readonly [string, string] {
  if (dialect === 'postgresql') return ['$1', '$2'];
  if (dialect === 'mysql' || dialect === 'sqlite') return ['?', '?'];
  throw invalid('dialect has to be mysql, postgresql or sqlite.');
}

function checkTable(table: unknown): void {
  if (typeof table === 'string' && /^\w+(\.\w+)?$/.test(table)) return;
  throw invalid('table has to be a name of letters, digits and _.');
}

/** mysql2 returns `[rows, fields]`, pg `{ rows }`, others the rows. */
function hasRow(result: unknown): boolean {
  if (!Array.isArray(result)) {
    return typeof result === 'object' && result !== null && 'rows' in result && hasRow(result.rows);
  }
  return Array.isArray(result[0]) ? result[0].length > 0 : result.length > 0;
}

function invalid(message: string): LaunchTokenError {
  return new LaunchTokenError('OPTION_INVALID', message);
}
