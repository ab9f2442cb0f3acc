import { hasChanged, readSqlOptions, repeatedOnConflict, rowsOf, type SqlDialect } from '@plat/contract';
import { checkOptionNames } from '../../checks/options.ts';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';

// Not an alias: a compiler that writes declarations then names the type by this package.
export type { SqlDialect } from '@plat/contract';

/** Options of {@link sqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement and returns the result of the driver: rows for a SELECT, otherwise an object with the number of
   * changed rows as `affectedRows`, `rowCount`, `changes` or `count`. `[rows, fields]` of mysql2 and `{ rows, rowCount }`
   * of pg are supported too. A number without a name is refused, because it can be the id of a row: with Prisma return
   * `{ changes: number }`. The values are in the order of the placeholders. Each statement must be a separate
   * transaction. A rejection means that it may have failed. A statement that the database refused because of a concurrent
   * one (a deadlock, a serialization failure, a locked file) runs up to eight times.
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
  const { id } = options;
  if (typeof options.query !== 'function') throw new InvalidArgumentError('query', 'must be a function');
  const query = repeatedOnConflict(options.query);
  const { dialect = 'mysql' } = options;
  const { table, placeholder } = readSqlOptions({ dialect, table: options.table ?? TABLE }, refuse);
  // In MySQL only the error reports an existing key.
  const ifAbsent = dialect === 'mysql' ? undefined : ' ON CONFLICT (grant_key) DO NOTHING';
  const [first, second, third, fourth] = [1, 2, 3, 4].map(placeholder);
  const select = `SELECT version, value FROM ${table} WHERE grant_key = ${first}`;
  const insert = `INSERT INTO ${table} (grant_key, version, value) VALUES (${first}, ${second}, ${third})`;
  const update = `UPDATE ${table} SET version = ${first}, value = ${second} WHERE grant_key = ${third} AND version = ${fourth}`;

  async function get(key: string): Promise<StoredGrant | null> {
    const [row] = rowsOf(await query(select, [key]), 'version', 'value');
    return row ? storedOf(row) : null;
  }

  return {
    id,
    get,
    async list({ after, limit }) {
      // The limit is in the text: mysql2 refuses a number as a prepared value of LIMIT.
      // The alias has no underscore: some libraries return the names of columns in camelCase.
      const sql = `SELECT grant_key AS id, version, value FROM ${table} WHERE grant_key > ${first} ORDER BY grant_key LIMIT ${Math.trunc(limit)}`;
      const rows = rowsOf(await query(sql, [after ?? '']), 'id', 'version', 'value');
      return rows.map((row) => ({ key: String(row.id), ...storedOf(row) }));
    },
    async compareAndSet(key, expected, { version, value }) {
      if (expected !== null) return hasChanged(await query(update, [version, value, key, expected]));
      if (ifAbsent !== undefined) return hasChanged(await query(insert + ifAbsent, [key, version, value]));
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

const TABLE = 'plat_grants';

/**
 * Returns the statement that creates the table of {@link sqlStore}, for your migration.
 * @param table name of the table; `plat_grants` when absent
 * @throws {@link InvalidArgumentError} for an unknown dialect, and when the table's name needs quotes
 */
export function grantsTableSql(dialect: SqlDialect, table = TABLE): string {
  const { key, engine } = readSqlOptions({ dialect, table }, refuse);
  return `CREATE TABLE IF NOT EXISTS ${table} (grant_key ${key} NOT NULL PRIMARY KEY, version BIGINT NOT NULL, value TEXT NOT NULL)${engine}`;
}

function refuse(option: string, why: string): InvalidArgumentError {
  return new InvalidArgumentError(option, why);
}

function storedOf({ version, value }: Readonly<Record<'version' | 'value', unknown>>): StoredGrant {
  return { version: Number(version), value: String(value) };
}
