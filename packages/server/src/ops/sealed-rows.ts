import type { Database } from '../db/database.ts';
import { execute, type SqlValues, select, selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { MARK_BYTES } from '../kernel/seal.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** A row with a sealed value. */
export interface SealedRow {
  /** The values of its primary key. */
  readonly key: readonly (string | Buffer)[];
  /** Null when the value is sealed with the current key. */
  readonly outdated: Buffer | null;
}

/** A value and its replacement. */
export interface Swap {
  readonly row: SealedRow;
  readonly from: Buffer;
  readonly to: Buffer;
}

/** Rows in a batch: a concurrent rotation of a secret waits for one batch at most. */
const BATCH = 100;

interface FoundRow {
  readonly key0: string | Uint8Array;
  readonly key1: string | Uint8Array | null;
  readonly outdated: Uint8Array | null;
}

/** Reads the rows with a value, in the order of their primary key, page by page. */
export async function* sealedPages(
  db: Database,
  sealed: SealedColumn,
  currentMark: string,
): AsyncGenerator<readonly SealedRow[], void, void> {
  // Below all keys, so that the first page is a range too.
  for (let after: SealedRow = { key: sealed.key.map(() => ''), outdated: null }; ; ) {
    const rows = await select<FoundRow>(
      db,
      `${found(sealed)} AND ${isAfter(db, sealed)} ORDER BY ${sealed.key.join(', ')} LIMIT ${BATCH}`,
      { currentMark, ...keyValues(after) },
    );
    const page = rows.map(toRow);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < BATCH) return;
    after = last;
  }
}

/** Reads a row again; undefined when it was deleted or has no value. */
export async function readAgain(
  db: Database,
  sealed: SealedColumn,
  currentMark: string,
  row: SealedRow,
): Promise<SealedRow | undefined> {
  const again = await selectOne<FoundRow>(db, `${found(sealed)} AND ${isRow(sealed)}`, {
    currentMark,
    ...keyValues(row),
  });
  return again && toRow(again);
}

/** Replaces values that have not changed since they were read. Resolves to the rows that changed. */
export function swapValues(db: Database, sealed: SealedColumn, swaps: readonly Swap[]): Promise<readonly SealedRow[]> {
  const { table, column } = sealed;
  const sql = `UPDATE ${table} SET ${column} = :to WHERE ${isRow(sealed)} AND ${column} = :from`;
  return unitOfWork(db, async (transaction) => {
    const lost: SealedRow[] = [];
    for (const { row, from, to } of swaps) {
      if ((await execute(db, sql, { from, to, ...keyValues(row) }, transaction)) === 0) lost.push(row);
    }
    return lost;
  });
}

/** Returns the primary key of a row for operators. */
export function nameOf({ key }: SealedRow): string {
  return key.map((part) => (typeof part === 'string' ? part : part.toString('hex'))).join(' ');
}

function found({ table, column, key: [first, second] }: SealedColumn): string {
  return `SELECT ${first} AS key0, ${second ?? 'NULL'} AS key1,
      CASE WHEN LOWER(HEX(SUBSTR(${column}, 1, ${MARK_BYTES}))) = :currentMark THEN NULL ELSE ${column} END AS outdated
    FROM ${table} WHERE ${column} IS NOT NULL`;
}

/** MySQL uses no index range for a row comparison, and SQLite none for an OR. */
function isAfter({ kind }: Database, { key: [first, second] }: SealedColumn): string {
  if (second === undefined) return `${first} > :key0`;
  return kind === 'sqlite'
    ? `(${first}, ${second}) > (:key0, :key1)`
    : `(${first} > :key0 OR (${first} = :key0 AND ${second} > :key1))`;
}

function isRow({ key }: SealedColumn): string {
  return key.map((column, index) => `${column} = :key${index}`).join(' AND ');
}

function keyValues({ key }: SealedRow): SqlValues {
  return Object.fromEntries(key.map((value, index) => [`key${index}`, value]));
}

function toRow({ key0, key1, outdated }: FoundRow): SealedRow {
  return {
    key: key1 === null ? [readKey(key0)] : [readKey(key0), readKey(key1)],
    outdated: outdated && Buffer.from(outdated),
  };
}

function readKey(value: string | Uint8Array): string | Buffer {
  return typeof value === 'string' ? value : Buffer.from(value);
}
