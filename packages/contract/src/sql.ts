/** Databases of the stores with a query function. `mysql` includes MariaDB. */
export type SqlDialect = 'mysql' | 'postgresql' | 'sqlite';

// The following is shared by the packages of the platform. It is not part of the API.

/** SQL differences between the databases. */
interface Dialect {
  /** Type of a key of up to 191 ASCII characters, compared byte by byte. */
  readonly key: string;
  /** End of the statement that creates a table. Other engines of MySQL have no transactions, and lose rows in a crash. */
  readonly engine: string;
  /** Returns the placeholder of a value, counted from 1. */
  readonly placeholder: (index: number) => string;
}

const questionMark = (): string => '?';

const DIALECTS: Readonly<Record<SqlDialect, Dialect>> = {
  mysql: {
    key: 'VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin',
    engine: ' ENGINE = InnoDB',
    placeholder: questionMark,
  },
  postgresql: { key: 'VARCHAR(191) COLLATE "C"', engine: '', placeholder: (index) => `$${index}` },
  sqlite: { key: 'TEXT', engine: '', placeholder: questionMark },
};

/**
 * Returns the checked name of a table, and the SQL of its database.
 * @param refuse creates the error for an unknown database, and for a name that needs quotes
 * @internal
 */
export function readSqlOptions(
  { dialect, table }: { readonly dialect: SqlDialect; readonly table: string },
  refuse: (option: 'dialect' | 'table', why: string) => Error,
): Dialect & { readonly table: string } {
  if (!Object.hasOwn(DIALECTS, dialect)) throw refuse('dialect', `must be one of ${Object.keys(DIALECTS).join(', ')}`);
  if (typeof table === 'string' && /^\w+(\.\w+)?$/.test(table)) return { ...DIALECTS[dialect], table };
  throw refuse('table', 'must be a name of letters, digits and _');
}

/**
 * Returns the rows of a SELECT. pg returns `{ rows }`, mysql2 `[rows, fields]`, others the rows.
 * @throws Error if they are no objects, as with the option rowsAsArray of mysql2
 * @internal
 */
export function rowsOf(result: unknown): readonly Readonly<Record<string, unknown>>[] {
  const given: unknown = isObject(result) && 'rows' in result ? result['rows'] : result;
  const rows: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
  if (Array.isArray(rows) && rows.every((row) => isObject(row) && !Array.isArray(row))) return rows;
  throw new Error('the query function returned no rows array of objects for a SELECT');
}

/**
 * Returns the number of rows that a statement changed. postgres.js has it as `count` of its array of rows; mysql2 returns
 * `[{ affectedRows }, fields]`, Prisma the number, others an object.
 * @throws Error if the result has no number
 * @internal
 */
export function changedRows(result: unknown): number {
  if (isCount(result)) return Number(result);
  for (const given of Array.isArray(result) ? [result, result[0]] : [result]) {
    if (!isObject(given)) continue;
    const count = COUNTS.map((name) => given[name]).find(isCount);
    if (count !== undefined) return Number(count);
  }
  throw new Error('the query function did not return the number of changed rows');
}

/** Names of the number of changed rows; Kysely has the last one. */
const COUNTS = ['affectedRows', 'rowCount', 'changes', 'count', 'numAffectedRows'];

function isCount(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
