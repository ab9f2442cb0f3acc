import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';

/** Settings of {@link sqlStore}. */
export interface SqlStoreOptions {
  /**
   * Runs one statement with `?` in place of its values and answers what the driver does: rows for a SELECT; for the
   * others an object with `affectedRows`, `rowCount` or `changes`. `[rows, fields]`, as mysql2 answers, is right too.
   * Each statement has to be a transaction of its own, and a rejection has to mean that it may have failed.
   */
  readonly query: (sql: string, values: readonly (string | number)[]) => unknown;
  /** Name of the table; `plat_grants` when absent. */
  readonly table?: string | undefined;
  /** What the database is; the stores of one process that name the same one share their refreshes. */
  readonly id?: string | undefined;
}

/**
 * A store in a table of your database, through your own query function: MySQL, MariaDB, SQLite.
 *
 * ```sql
 * CREATE TABLE plat_grants (
 *   grant_key VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
 *   version BIGINT NOT NULL,
 *   value TEXT NOT NULL
 * )
 * ```
 * @throws {@link InvalidArgumentError} when the table's name needs quotes
 */
export function sqlStore({ query, table = 'plat_grants', id }: SqlStoreOptions): GrantStore {
  if (typeof query !== 'function') throw new InvalidArgumentError('query', 'must be a function');
  if (!/^\w+(\.\w+)?$/.test(table)) throw new InvalidArgumentError('table', 'must be a name of letters, digits and _');

  async function get(key: string): Promise<StoredGrant | null> {
    const rows = resultOf(await query(`SELECT version, value FROM ${table} WHERE grant_key = ?`, [key]));
    if (!Array.isArray(rows)) throw new Error('the query function answered no rows to a SELECT');
    const [row] = rows;
    return row ? { version: Number(row.version), value: String(row.value) } : null;
  }

  return {
    id,
    get,
    async compareAndSet(key, expected, { version, value }) {
      if (expected !== null) {
        const sql = `UPDATE ${table} SET version = ?, value = ? WHERE grant_key = ? AND version = ?`;
        return affected(await query(sql, [version, value, key, expected])) === 1;
      }
      try {
        await query(`INSERT INTO ${table} (grant_key, version, value) VALUES (?, ?, ?)`, [key, version, value]);
        return true;
      } catch (error) {
        // Each database says in its own way that the key is taken; that there is a row says it in all of them.
        if (await get(key)) return false;
        throw error;
      }
    },
  };
}

/** mysql2 answers `[rows, fields]`, for every kind of statement. A row is neither an array nor a count. */
function resultOf(result: unknown): unknown {
  if (!Array.isArray(result) || result.length !== 2) return result;
  return Array.isArray(result[0]) || countOf(result[0]) !== undefined ? result[0] : result;
}

function affected(given: unknown): number {
  const count = countOf(resultOf(given));
  if (count === undefined) throw new Error('the query function did not say how many rows an UPDATE changed');
  return count;
}

function countOf(result: unknown): number | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  for (const name of ['affectedRows', 'rowCount', 'changes']) {
    const count: unknown = Reflect.get(result, name);
    if (typeof count === 'number' || typeof count === 'bigint') return Number(count);
  }
  return undefined;
}
