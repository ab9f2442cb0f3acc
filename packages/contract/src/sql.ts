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
 * Returns the rows of a SELECT: the result, or its field `rows` or `records` (TypeORM), or the first of a pair (mysql2).
 * @param columns names of the selected columns. They are single lower-case words, which mappers of names leave alone.
 * @throws Error if the result has no rows, or a row lacks a column, as with the options rowsAsArray and nestTables of mysql2
 * @internal
 */
export function rowsOf<Column extends string>(
  result: unknown,
  ...columns: readonly Column[]
): readonly Readonly<Record<Column, unknown>>[] {
  const given: unknown = isObject(result) ? (result['rows'] ?? result['records'] ?? result) : result;
  const rows: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
  const hasColumns = (row: unknown): row is Record<Column, unknown> =>
    isObject(row) && columns.every((column) => column in row);
  if (Array.isArray(rows) && rows.every(hasColumns)) return rows;
  const row = `[{ ${columns.join(', ')} }]`;
  throw new Error(
    `the query function returned ${shapeOf(result)} for a SELECT: no rows array of objects with these columns. Return ${row} or { rows: ${row} }.`,
  );
}

/**
 * Returns true if a statement changed its row, and false if it changed none. The number of changed rows is a field of the
 * result, or of its first element (mysql2).
 * @throws Error if no field of the result is known as this number. A number without a name is refused: TypeORM returns the
 * id of the inserted row like that.
 * @internal
 */
export function hasChanged(result: unknown): boolean {
  const [given] = [result, Array.isArray(result) ? result[0] : undefined]
    .filter(isObject)
    .flatMap((object) => COUNTS.map((name) => object[name]))
    .filter(isCount);
  // The statements of the stores change one row at most. A larger number is not their count.
  const count = given === undefined ? Number.NaN : Number(given);
  if (count === 0 || count === 1) return count === 1;
  const returned = given === undefined ? shapeOf(result) : `a count of ${given}`;
  const why = isCount(result) ? ', which can be the id of a row,' : '';
  throw new Error(
    `the query function returned ${returned}${why} for an INSERT, UPDATE or DELETE of one row: not the number of changed rows with its name. Return for example { changes: 1 }.`,
  );
}

/** Names of the number of changed rows. The last ones are of libSQL, TypeORM and Kysely. */
const COUNTS = ['affectedRows', 'rowCount', 'changes', 'count', 'rowsAffected', 'affected', 'numAffectedRows'];

function isCount(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Describes a result without its values, which can be secret: `[{ token, completed }]`, `number`. */
function shapeOf(value: unknown, depth = 0): string {
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  const isList = Array.isArray(value);
  const names = isList ? value.map((each) => shapeOf(each, depth + 1)) : Object.keys(value);
  const limit = 8 >> depth;
  const shown = [...names.slice(0, limit), ...(names.length > limit ? ['…'] : [])].join(', ');
  return isList ? `[${shown}]` : `{ ${shown} }`;
}
