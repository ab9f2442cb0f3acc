import type { SqlValues } from '../../db/sql.ts';

type Value = string | number | null;

/** Builds `column = …` for several rows: a CASE by id where values differ, the value itself where they are equal. */
export function assignments<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  columns: Readonly<Record<string, (row: Row) => Value>>,
): { readonly sql: string; readonly values: SqlValues } {
  const values: Record<string, Value | string[]> = {};
  const sql = Object.entries(columns).map(([column, valueIn]) => {
    const byValue = [...Map.groupBy(rows, valueIn)];
    const cases = byValue.map(([value, group], index) => {
      values[`${column}${index}`] = value;
      if (byValue.length === 1) return `:${column}0`;
      values[`${column}_ids${index}`] = group.map(idOf);
      return `WHEN id IN (:${column}_ids${index}) THEN :${column}${index}`;
    });
    return `${column} = ${byValue.length === 1 ? cases.join('') : `CASE ${cases.join(' ')} END`}`;
  });
  return { sql: sql.join(', '), values };
}
