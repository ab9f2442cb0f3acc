import { setTimeout as wait } from 'node:timers/promises';
import { repeatOnConflict } from '../conflicts.ts';
import type { MigrationStatements, MigrationValues } from './migration-statements.ts';

/** A new column, and the value of existing rows. */
export interface Backfill {
  readonly table: string;
  /** A nullable column. Rows in which it is null receive the value, so that an interrupted backfill runs again. */
  readonly column: string;
  /** SQL expression of the other columns of the row. */
  readonly value: string;
  /** The primary key: one or two columns. */
  readonly key: readonly [string] | readonly [string, string];
}

export interface BackfillPace {
  /** Rows of one batch: one statement, which is a transaction by itself. */
  readonly batch: number;
  /** Pause for each ms of a batch, in ms: requests take precedence. */
  readonly pausePerMs: number;
  /** True if the database reads an index range for a comparison of row values. */
  readonly hasRowValues: boolean;
}

/** SQLite has one writer, so its batches are shorter, with longer pauses. */
export const BACKFILL_PACE = {
  sqlite: { batch: 200, pausePerMs: 4, hasRowValues: true },
  server: { batch: 1000, pausePerMs: 1, hasRowValues: false },
} as const satisfies Readonly<Record<'sqlite' | 'server', BackfillPace>>;

/** Fills the column in the order of the primary key. Each batch begins after the last row of the previous one. */
export async function backfill(
  { read, run }: MigrationStatements,
  { table, column, value, key }: Backfill,
  { batch, pausePerMs, hasRowValues }: BackfillPace,
): Promise<void> {
  const keys = key.join(', ');
  for (let after: MigrationValues | null = null; ; ) {
    const begin: string = after === null ? '' : `WHERE ${bound(key, '>', 'after', hasRowValues)}`;
    const rows: Record<string, string | number | Buffer>[] = await read(
      `SELECT ${keys} FROM ${table} ${begin} ORDER BY ${keys} LIMIT ${batch}`,
      after ?? {},
    );
    const last = rows.at(-1);
    if (!last) return;
    const upTo = Object.fromEntries(key.map((name, i) => [`last${i}`, last[name] ?? '']));
    const range = [
      `(${bound(key, '<=', 'last', hasRowValues)})`,
      ...(after === null ? [] : [`(${bound(key, '>', 'after', hasRowValues)})`]),
    ];
    const sql = `UPDATE ${table} SET ${column} = ${value} WHERE ${range.join(' AND ')} AND ${column} IS NULL`;
    const values = { ...after, ...upTo };
    const startedAt = performance.now();
    await repeatOnConflict(() => run(sql, values));
    await wait((performance.now() - startedAt) * pausePerMs);
    if (rows.length < batch) return;
    after = Object.fromEntries(key.map((name, i) => [`after${i}`, last[name] ?? '']));
  }
}

/** Compares a key with values. SQLite reads an index range for row values only, MySQL for the long form only. */
function bound([first, second]: Backfill['key'], sign: '>' | '<=', values: string, hasRowValues: boolean): string {
  if (second === undefined) return `${first} ${sign} :${values}0`;
  if (hasRowValues) return `(${first}, ${second}) ${sign} (:${values}0, :${values}1)`;
  return `${first} ${sign.charAt(0)} :${values}0 OR (${first} = :${values}0 AND ${second} ${sign} :${values}1)`;
}
