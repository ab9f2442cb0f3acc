import { csvLine as lineOf } from '@plat/contract';
import { cell, type JsonObject, valueAt } from '../terminal/value.ts';

/** Returns a line of CSV for each row. */
export function csvLines(columns: readonly string[], rows: readonly JsonObject[]): string {
  return rows.map((row) => csvLine(columns.map((column) => valueAt(row, column)))).join('');
}

/** Returns one line of CSV. Null is empty, lists of scalars are separated by commas, nested values are JSON. */
export function csvLine(values: readonly unknown[]): string {
  return lineOf(values.map(cellOf));
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' ? value : cell(value);
}
