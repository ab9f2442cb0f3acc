import { checkOptionNames } from '../../checks/options.ts';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';
import { checkTable, dialectOf, type SqlDialect } from './sql-dialect.ts';

/** Options of {@link sqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement with its values and returns the result of the driver: rows for a SELECT, otherwise an object
   * with `affectedRows`, `rowCount`, `changes` or `count`. `[rows, fields]` of mysql2 and `{ rows, rowCount }` of pg
   * are supported too. Each statement must be a separate transaction. A rejection means that it may have failed.
   */
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  /**
   * Kind of the database; `mysql` when absent, which includes MariaDB. Placeholders are `$1` in PostgreSQL, else `?`.
   */
  readonly dialect?: SqlDialect | undefined;
  /** Name of the table; `plat_grants` when absent. Create it with {@link grantsTableSql}. */
  readonly table?: string | undefined;
  /** Name of the database. Stores of one process with the same id share their refreshes. */
  readonly id?: string | undefined;
}

/**
 * Creates a store in a table of your database, with your query function: MySQL, MariaDB, PostgreSQL, SQLite.
 * @example
 * ```ts
 * await pool.query(grantsTableSql('postgresql'));
 * const store = sqlStore({ dialect: 'postgresql', query: (sql, values) => pool.query(sql, [...values]) });
 * ```
 * @throws {@link InvalidArgumentError} with the name of the invalid option
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

  const rowsOfSelect = async (sql: string, values: readonly (string | number)[]) => {
    const rows = rowsOf(await query(sql, values));
    if (!Array.isArray(rows)) throw new Error('the query function returned no rows array for a SELECT');
    return rows;
  };

  async function get(key: string): Promise<StoredGrant | null> {
    const [row] = await rowsOfSelect(select, [key]);
    return row ? storedOf(row) : null;
  }

  return {
    id,
    get,
    async list({ after, limit }) {
      // The limit is in the text: mysql2 refuses a number as a prepared value of LIMIT.
      const sql = `SELECT grant_key, version, value FROM ${table} WHERE grant_key > ${first} ORDER BY grant_key LIMIT ${Math.trunc(limit)}`;
      const rows = await rowsOfSelect(sql, [after ?? '']);
      return rows.map((row) => ({ key: String(row.grant_key), ...storedOf(row) }));
    },
    async compareAndSet(key, expected, { version, value }) {
      if (expected !== null) return affected(await query(update, [version, value, key, expected])) === 1;
      if (ifAbsent !== undefined) return affected(await query(insert + ifAbsent, [key, version, value])) === 1;
      try {
        await query(insert, [key, version, value]);
        return true;
      } catch (error) {
        // Every driver has its own error for a duplicate key. An existing row identifies a duplicate for all of them.
        if (await get(key)) return false;
        throw error;
      }
    },
  };
}

function storedOf({ version, value }: { readonly version: unknown; readonly value: unknown }): StoredGrant {
  return { version: Number(version), value: String(value) };
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
  if (count === undefined) throw new Error('the query function did not return the number of changed rows');
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
