import { WebhookConfigurationError } from '../errors.ts';

/** Databases that {@link createSqlStore} and {@link recordHandled} support. `mysql` includes MariaDB. */
export type SqlDialect = 'mysql' | 'postgresql' | 'sqlite';

/**
 * Runs one statement with its values and returns the result of the driver: rows for a SELECT, otherwise an object with
 * `affectedRows`, `rowCount` or `changes`. `[rows, fields]` of mysql2 and `{ rows, rowCount }` of pg are supported too.
 */
export type SqlQuery = (sql: string, values: readonly (string | number)[]) => unknown;

/** SQL differences between the databases. */
interface Dialect {
  /** Type of a key, compared byte by byte. */
  readonly key: string;
  /** End of the statement that creates a table. Other engines of MySQL have no transactions. */
  readonly engine: string;
  /** Returns the placeholder of a value, counted from 1. */
  readonly placeholder: (index: number) => string;
}

const question = () => '?';
const DIALECTS: Readonly<Record<SqlDialect, Dialect>> = {
  mysql: {
    key: 'VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin',
    engine: ' ENGINE = InnoDB',
    placeholder: question,
  },
  postgresql: { key: 'VARCHAR(191) COLLATE "C"', engine: '', placeholder: (index) => `$${index}` },
  sqlite: { key: 'TEXT', engine: '', placeholder: question },
};

/** @throws {WebhookConfigurationError} `OPTION_INVALID` */
export function dialectOf(name: SqlDialect): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name];
  throw new WebhookConfigurationError('OPTION_INVALID', `dialect must be one of ${Object.keys(DIALECTS).join(', ')}.`);
}

/** @throws {WebhookConfigurationError} `OPTION_INVALID` if the name of the table needs quotes */
export function checkTable(table: unknown): string {
  if (typeof table === 'string' && /^\w+(\.\w+)?$/.test(table)) return table;
  throw new WebhookConfigurationError('OPTION_INVALID', 'table must be a name of letters, digits and _.');
}

/** @throws {WebhookConfigurationError} `OPTION_INVALID` */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new WebhookConfigurationError('OPTION_INVALID', `${name} must be a function.`);
}

/** Returns the rows of a SELECT. pg returns `{ rows }`, mysql2 `[rows, fields]`. */
export function rowsOf(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  const given: unknown = isObject(result) && 'rows' in result ? result['rows'] : result;
  const rows: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
  // With the option rowsAsArray of mysql2 a row is an array. No claim would be recognised, and no event handled.
  if (Array.isArray(rows) && !rows.some(Array.isArray)) return rows;
  throw new Error('the query function returned no rows array of objects for a SELECT');
}

/** Returns the number of changed rows. */
export function affectedRows(result: unknown): number {
  const given: unknown = Array.isArray(result) ? result[0] : result;
  for (const name of ['affectedRows', 'rowCount', 'changes']) {
    const count = isObject(given) ? given[name] : undefined;
    if (typeof count === 'number' || typeof count === 'bigint') return Number(count);
  }
  throw new Error('the query function did not return the number of changed rows');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
