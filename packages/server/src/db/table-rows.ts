import type { Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { execute, executeText, type SqlValues, select } from './sql.ts';
import { columnsOf, insertMany } from './statements.ts';
import { primaryKeyOf, type Table } from './tables/table.ts';

/** A row of any table. */
export type AnyRow = Readonly<Record<string, string | number | Buffer | null>>;

/** Placeholders of one INSERT. MySQL takes 65,535, SQLite 32,766. */
const MAX_VALUES = 8_000;
/** Content of one INSERT, in characters and bytes: far below `max_allowed_packet`. */
const MAX_SIZE = 2_000_000;

/** Number of rows that {@link insertRows} writes with one statement. */
export function rowsPerInsert(table: Table): number {
  return Math.max(1, Math.floor(MAX_VALUES / columnsOf(table).length));
}

/** A part of a table: some of its rows or columns. */
export interface TablePart {
  /** SQL condition of the rows, with its values. */
  readonly only?: { readonly sql: string; readonly values: SqlValues };
  /** All columns when absent. The columns of the primary key have to be among them. */
  readonly columns?: readonly string[];
}

/**
 * Returns the next rows of a table in the order of its primary key.
 * @param after the last row of the page before; null for the first page
 */
export async function rowsAfter(
  db: Database,
  table: Table,
  after: AnyRow | null,
  limit: number,
  { only, columns = columnsOf(table) }: TablePart = {},
): Promise<readonly AnyRow[]> {
  const keys = primaryKeyOf(table).columns;
  const page = (conditions: readonly string[], order: readonly string[], values: SqlValues): Promise<AnyRow[]> => {
    const all = only ? [`(${only.sql})`, ...conditions] : conditions;
    const where = all.length > 0 ? `WHERE ${all.join(' AND ')}` : '';
    return select(
      db,
      `SELECT ${columns.join(', ')} FROM ${table.name} ${where} ORDER BY ${order.join(', ')} LIMIT ${limit}`,
      { ...values, ...only?.values },
    );
  };
  if (!after) return page([], keys, {});
  const rows: AnyRow[] = [];
  // One range of the index for each column of the key, the last column first. MySQL reads no range for a comparison of
  // several columns at once.
  for (let depth = keys.length; depth > 0 && rows.length < limit; depth--) {
    const equal = keys.slice(0, depth - 1);
    const conditions = [...equal.map((key) => `${key} = :${key}`), `${keys[depth - 1]} > :${keys[depth - 1]}`];
    const values = Object.fromEntries(keys.slice(0, depth).map((key) => [key, after[key] ?? null]));
    rows.push(...(await page(conditions, keys.slice(depth - 1), values)));
  }
  return rows.slice(0, limit);
}

/** Returns the row with the highest primary key, or null for an empty table. */
export async function lastRow(db: Database, table: Table): Promise<AnyRow | null> {
  const order = primaryKeyOf(table).columns.map((key) => `${key} DESC`);
  const [row] = await select<AnyRow>(
    db,
    `SELECT ${columnsOf(table).join(', ')} FROM ${table.name} ORDER BY ${order.join(', ')} LIMIT 1`,
  );
  return row ?? null;
}

/** Inserts rows in their order, with as few statements as their number and size allow. */
export async function insertRows(
  db: Database,
  table: Table,
  rows: readonly AnyRow[],
  transaction: Transaction | null = null,
): Promise<void> {
  const names = columnsOf(table);
  const most = rowsPerInsert(table);
  for (let start = 0; start < rows.length; ) {
    const values: Record<string, AnyRow[string]> = {};
    let size = 0;
    let count = 0;
    for (; count < most && start + count < rows.length && size < MAX_SIZE; count++) {
      const row = rows[start + count];
      for (const name of names) {
        const value = row?.[name] ?? null;
        values[`${name}_${count}`] = value;
        if (value !== null && typeof value !== 'number') size += value.length;
      }
    }
    // The text of a full statement is always the same, so that the database parses it once.
    await (count === most ? execute : executeText)(db, insertMany(table, names, count), values, transaction);
    start += count;
  }
}
