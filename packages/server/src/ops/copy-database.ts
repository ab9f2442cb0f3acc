import type { Database } from '../db/database.ts';
import { type AnyRow, insertRows, lastRow, rowsAfter, rowsPerInsert } from '../db/table-rows.ts';
import { TABLES } from '../db/tables/index.ts';
import { primaryKeyOf, type Table } from '../db/tables/table.ts';

/** Tables of the processes that run: no content. The migrations fill them in every database. */
const OF_PROCESSES: ReadonlySet<string> = new Set(['shard_leases', 'dispatchers', 'processes', 'job_leases']);

/** The tables that a copy consists of. */
const COPIED_TABLES: readonly Table[] = Object.values(TABLES).filter(({ name }) => !OF_PROCESSES.has(name));

/** Differing rows that a comparison names for each table. */
const MAX_NAMED = 5;

/** Rows between two reports of progress. */
const REPORT_EVERY = 100_000;

/** Receives the progress: the number of rows so far of a table, and of a finished table. */
type Report = (table: string, rows: number) => void;

/** The number of rows that two databases have in a table, and how the second differs. */
export interface TableComparison {
  readonly table: string;
  readonly rows: number;
  readonly missing: number;
  readonly unexpected: number;
  readonly different: number;
  /** Primary keys of some differing rows. */
  readonly examples: readonly string[];
}

/**
 * Copies the rows that the destination does not have yet. Each table is copied in the order of its primary key, so the
 * last row there states where an interrupted copy ended.
 * @returns the number of copied rows
 */
export async function copyRows(from: Database, to: Database, report: Report): Promise<number> {
  let copied = 0;
  for (const table of COPIED_TABLES) {
    const limit = rowsPerInsert(table);
    const found = await lastRow(to, table);
    let count = 0;
    for (let next = rowsAfter(from, table, found, limit); ; ) {
      const rows = await next;
      const last = rows.at(-1);
      if (!last) break;
      // The next rows are read while these are written.
      next = rowsAfter(from, table, last, limit);
      // An error of the write is the one to report.
      next.catch(() => undefined);
      await insertRows(to, table, rows);
      const reports = Math.floor(count / REPORT_EVERY);
      count += rows.length;
      if (Math.floor(count / REPORT_EVERY) > reports) report(table.name, count);
    }
    if (count > 0) report(table.name, count);
    copied += count;
  }
  return copied;
}

/** Returns the name of a copied table that has rows, or null. */
export async function firstFilledTable(db: Database): Promise<string | null> {
  for (const table of COPIED_TABLES) if (await lastRow(db, table)) return table.name;
  return null;
}

/** Compares every row and column of two databases. */
export async function compareRows(from: Database, to: Database, report: Report): Promise<readonly TableComparison[]> {
  const comparisons: TableComparison[] = [];
  for (const table of COPIED_TABLES) comparisons.push(await compareTable(from, to, table, report));
  return comparisons;
}

export function isSame({ missing, unexpected, different }: TableComparison): boolean {
  return missing + unexpected + different === 0;
}

async function compareTable(from: Database, to: Database, table: Table, report: Report): Promise<TableComparison> {
  const keys = primaryKeyOf(table).columns;
  const names = Object.keys(table.columns);
  const counts = { rows: 0, missing: 0, unexpected: 0, different: 0 };
  const examples: string[] = [];
  const differs = (kind: 'missing' | 'unexpected' | 'different', row: AnyRow): void => {
    counts[kind] += 1;
    if (examples.length < MAX_NAMED) examples.push(`${kind}: ${keys.map((key) => asText(row[key])).join(' ')}`);
  };
  const expected = new RowReader(from, table);
  const actual = new RowReader(to, table);
  for (;;) {
    const [a, b] = [await expected.peek(), await actual.peek()];
    if (!a && !b) break;
    const order = a && b ? compareKeys(keys, a, b) : a ? -1 : 1;
    if (order <= 0) expected.skip();
    if (order >= 0) actual.skip();
    if (a && order <= 0) counts.rows += 1;
    if (a && order < 0) differs('missing', a);
    else if (b && order > 0) differs('unexpected', b);
    else if (a && b && !names.every((name) => isEqual(a[name], b[name]))) differs('different', a);
    if (a && counts.rows % REPORT_EVERY === 0) report(table.name, counts.rows);
  }
  return { table: table.name, ...counts, examples };
}

/** Reads a table row by row, in the order of its primary key. */
class RowReader {
  readonly #db: Database;
  readonly #table: Table;
  readonly #limit: number;
  #rows: readonly AnyRow[] = [];
  #at = 0;
  #last: AnyRow | null = null;
  #atEnd = false;

  constructor(db: Database, table: Table) {
    this.#db = db;
    this.#table = table;
    this.#limit = rowsPerInsert(table);
  }

  /** Returns the next row, or undefined after the last one. */
  async peek(): Promise<AnyRow | undefined> {
    if (this.#at === this.#rows.length && !this.#atEnd) {
      this.#rows = await rowsAfter(this.#db, this.#table, this.#last, this.#limit);
      this.#at = 0;
      this.#last = this.#rows.at(-1) ?? this.#last;
      this.#atEnd = this.#rows.length < this.#limit;
    }
    return this.#rows[this.#at];
  }

  skip(): void {
    this.#at += 1;
  }
}

/** Compares primary keys as every database does: numbers by value, text and bytes byte by byte. */
function compareKeys(keys: readonly string[], a: AnyRow, b: AnyRow): number {
  for (const key of keys) {
    const [x, y] = [a[key] ?? '', b[key] ?? ''];
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : Buffer.compare(asBytes(x), asBytes(y));
    if (order !== 0) return order;
  }
  return 0;
}

function asBytes(value: string | number | Buffer): Buffer {
  return value instanceof Buffer ? value : Buffer.from(String(value));
}

function isEqual(a: AnyRow[string] | undefined, b: AnyRow[string] | undefined): boolean {
  return a instanceof Buffer && b instanceof Buffer ? a.equals(b) : a === b;
}

function asText(value: AnyRow[string] | undefined): string {
  return value instanceof Buffer ? value.toString('hex') : String(value ?? '');
}
