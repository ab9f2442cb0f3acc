import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import { repeatOnConflict } from './conflicts.ts';
import { runPrepared } from './prepared.ts';
import { isLogged } from './sequelize-internals.ts';

/** What statements run on. */
export interface Queryable {
  readonly sequelize: Sequelize;
}

/** Values of named replacements (`:name`). Arrays become lists for `IN`. */
export type SqlValues = Readonly<
  Record<string, string | number | boolean | Buffer | null | readonly string[] | readonly number[]>
>;

/**
 * Rows of a SELECT as plain objects: the way of all hot reads, at a fraction of the cost of model instances.
 * `Row` is what the columns hold; nothing converts them.
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

/** The first row of a SELECT, or undefined. */
export async function selectOne<Row extends object>(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<Row | undefined> {
  const rows = await select<Row>(db, sql, values, transaction);
  return rows[0];
}

/** Runs a statement that changes rows; resolves to how many it changed (a row set to what it was does not count). */
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

/** {@link select} for a statement that is made anew each time, which is not worth preparing. */
export function selectText<Row extends object>(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<Row[]> {
  return db.sequelize.query<Row>(sql, { replacements: { ...values }, type: QueryTypes.SELECT, raw: true, transaction });
}

/** {@link execute} for a statement that is made anew each time, which is not worth preparing. */
export async function executeText(
  db: Queryable,
  sql: string,
  values: SqlValues = {},
  transaction: Transaction | null = null,
): Promise<number> {
  const changed: unknown = await asTransaction(transaction, () =>
    db.sequelize.query(sql, { replacements: { ...values }, type: QueryTypes.BULKUPDATE, transaction }),
  );
  return Number(changed);
}

/** A statement outside of a transaction is one by itself, and a cluster refuses it as it refuses the others. */
function asTransaction<T>(transaction: Transaction | null, run: () => Promise<T>): Promise<T> {
  return transaction ? run() : repeatOnConflict(run);
}

/** Behind the name of a table: which of its indexes to read, where the optimizer may not know better. */
export function usingIndex({ sequelize }: Queryable, index: string): string {
  return sequelize.getDialect() === 'sqlite' ? `INDEXED BY ${index}` : `FORCE INDEX (${index})`;
}

/** A list has no placeholder of one size; SQLite prepares by itself; and with logging on, values belong into the text. */
function isPreparable({ sequelize }: Queryable, values: SqlValues): boolean {
  if (sequelize.getDialect() === 'sqlite' || isLogged(sequelize)) return false;
  for (const name in values) if (Array.isArray(values[name])) return false;
  return true;
}
