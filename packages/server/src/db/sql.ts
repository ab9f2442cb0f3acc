import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import { repeatOnConflict } from './conflicts.ts';
import { runPrepared } from './prepared.ts';
import { isLogged } from './sequelize-internals.ts';

/** The database that statements run on. */
export interface Queryable {
  readonly sequelize: Sequelize;
}

/** Values of named replacements (`:name`). Arrays become lists for `IN`. */
export type SqlValues = Readonly<
  Record<string, string | number | boolean | Buffer | null | readonly string[] | readonly number[]>
>;

/**
 * Returns the rows of a SELECT as plain objects, at a fraction of the cost of model instances. For all hot reads. `Row`
 * has the types of the columns; nothing converts them.
 */
export async function select<Row extends object>(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<Row[]> {
  if (!isPreparable(db, values)) return selectText(db, sql, values, transaction);
  const rows = await runPrepared(db.sequelize, sql, values, transaction);
  return rows as Row[];
}

/** Returns the first row of a SELECT, or undefined. */
export async function selectOne<Row extends object>(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<Row | undefined> {
  const rows = await select<Row>(db, sql, values, transaction);
  return rows[0];
}

/**
 * Runs a statement that changes rows. Resolves to the number of changed rows, without rows that already had the values.
 */
export async function execute(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<number> {
  if (!isPreparable(db, values)) return executeText(db, sql, values, transaction);
  const answer = await asTransaction(transaction, () => runPrepared(db.sequelize, sql, values, transaction));
  return 'affectedRows' in answer ? answer.affectedRows : 0;
}

/** {@link select} for a statement with a different text each time, which is not worth preparing. */
export function selectText<Row extends object>(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<Row[]> {
  return db.sequelize.query<Row>(sql, { replacements: { ...values }, type: QueryTypes.SELECT, raw: true, transaction });
}

/** {@link execute} for a statement with a different text each time, which is not worth preparing. */
export async function executeText(
  db: Queryable,
  sql: string,
  values: SqlValues,
  transaction: Transaction | null = null,
): Promise<number> {
  const changed: unknown = await asTransaction(transaction, () =>
    db.sequelize.query(sql, { replacements: { ...values }, type: QueryTypes.BULKUPDATE, transaction }),
  );
  return Number(changed);
}

/** A statement outside of a transaction is a transaction by itself, and can fail with a conflict on a cluster. */
function asTransaction<T>(transaction: Transaction | null, run: () => Promise<T>): Promise<T> {
  return transaction ? run() : repeatOnConflict(run);
}

/** Returns a SELECT of the rows of several SELECTs, each of which may have its own ORDER BY and LIMIT. */
export function unionAll({ sequelize }: Queryable, selects: readonly string[]): string {
  const [first = '', ...more] = selects;
  if (more.length === 0) return first;
  // SQLite does not accept parentheses around the parts of a UNION.
  const isSqlite = sequelize.getDialect() === 'sqlite';
  const parts = selects.map((one) => (isSqlite ? `SELECT * FROM (${one})` : `(${one})`));
  return parts.join('\nUNION ALL\n');
}

/** Name of the primary key among the indexes of a table. */
export const PRIMARY = 'PRIMARY';

/**
 * Follows the name of a table: the index to read, where the optimizer may choose a worse one. SQLite has no name for the
 * primary key.
 */
export function usingIndex({ sequelize }: Queryable, index: string): string {
  const isSqlite = sequelize.getDialect() === 'sqlite';
  if (isSqlite && index === PRIMARY) return '';
  return isSqlite ? `INDEXED BY ${index}` : `FORCE INDEX (${index})`;
}

/**
 * Lists have no placeholder of fixed size. SQLite prepares statements by itself. With logging on, the text contains the
 * values.
 */
function isPreparable({ sequelize }: Queryable, values: SqlValues): boolean {
  if (sequelize.getDialect() === 'sqlite' || isLogged(sequelize)) return false;
  for (const name in values) if (Array.isArray(values[name])) return false;
  return true;
}
