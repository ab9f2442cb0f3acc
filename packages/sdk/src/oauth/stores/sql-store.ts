import { checkOptionNames } from '../../checks/options.ts';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';
import { checkTable, dialectOf, type SqlDialect } from './sql-dialect.ts';

/** Settings of {@link sqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement with its values and returns what the driver does: rows for a SELECT, for the others an object with
   * `affectedRows`, `rowCount`, `changes` or `count`. `[rows, fields]`, as mysql2 returns, and `{ rows, rowCount }`, as pg
   * does, are right too. Each statement has to be a transaction of its own, and a rejection has to mean that it may have
   * failed.
   */
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  /** What the database is; `mysql`, which is MariaDB too, when absent. Values are `$1` in PostgreSQL, else `?`. */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table; `plat_grants` when absent. {@link grantsTableSql} is the statement that makes it. */
  readonly table?: string | undefined;
  /** Names the database; the stores of one process that name the same one share their refreshes. */
  readonly id?: string | undefined;
}

/**
 * A store in a table of your database, through your own query function: MySQL, MariaDB, PostgreSQL, SQLite.
 *
 * @example
 * ```ts
 * await pool.query(grantsTableSql('postgresql'));
 * const store = sqlStore({ dialect: 'postgresql', query: (sql, values) => pool.query(sql, [...values]) });
 * ```
 * @throws {@link InvalidArgumentError} naming the option that is wrong
 */
export function sqlStore(options: SqlStoreOptions): GrantStore {
  checkOptionNames('sqlStore', options, { query: true, dialect: true, table: true, id: true });
  const { query, id } = options;
  if (typeof query !== 'function') throw new InvalidArgumentError('query', 'must be a function');
  const table = checkTable(options.table ?? 'plat_grants');
  const { placeholder, ifAbsent } = dialectOf(options.dialect ?? 'mysql');
  const [first, second, third, fourth] = [1, 2, 3, 4].map(placeholder);
  const select = `SELECT version, value FROM ${table} WHERE grant_key = ${first}`;
  const insert = `INSERT INTO ${table} (grant_key, version, value) VALUES (${first}, ${second}, ${third})`;
  const update = `UPDATE ${table} SET version = ${first}, value = ${second} WHERE grant_key = ${third} AND version = ${fourth}`;

  async function get(key: string): Promise<StoredGrant | null> {
    const rows = rowsOf(await query(select, [key]));
    if (!Array.isArray(rows)) throw new Error('the query function answered no rows to a SELECT');
    const [row] = rows;
    return row ? { version: Number(row.version), value: String(row.value) } : null;
  }

  return {
    id,
    get,
    async compareAndSet(key, expected, { version, value }) {
      if (expected !== null) return affected(await query(update, [version, value, key, expected])) === 1;
      if (ifAbsent !== undefined) return affected(await query(insert + ifAbsent, [key, version, value])) === 1;
      try {
        await query(insert, [key, version, value]);
        return true;
      } catch (error) {
        // Every driver has its own error for a duplicate key. An existing row identifies one with all of them.
        if (await get(key)) return false;
        throw error;
      }
    },
  };
}

/** pg returns `{ rows, rowCount }`. */
function rowsOf(given: unknown): unknown {
  const result = resultOf(given);
  return typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result;
}

/** mysql2 returns `[rows, fields]` for every kind of statement. A row is neither an array nor a count. */
function resultOf(result: unknown): unknown {
  if (!Array.isArray(result) || result.length !== 2) return result;
  return Array.isArray(result[0]) || countOf(result[0]) !== undefined ? result[0] : result;
}

function affected(given: unknown): number {
  const count = countOf(resultOf(given));
  if (count === undefined) throw new Error('the query function did not say how many rows a statement changed');
  return count;
}

function countOf(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  for (const name of ['affectedRows', 'rowCount', 'changes', 'count']) {
    const count: unknown = Reflect.get(result, name);
    if (typeof count === 'number' || typeof count === 'bigint') return Number(count);
  }
  return undefined;
}
