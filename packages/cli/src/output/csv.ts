import { cell, type JsonObject, valueAt } from '../terminal/value.ts';

/** Returns a line of CSV for each row (RFC 4180, ended by a line feed). */
export function csvLines(columns: readonly string[], rows: readonly JsonObject[]): string {
  return rows.map((row) => csvLine(columns.map((column) => valueAt(row, column)))).join('');
}

/** Returns one line of CSV. Null is empty, lists of scalars are separated by commas, nested values are JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe (CSV injection). Numbers stay numbers.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = cell(value);
  const safe = typeof value !== 'number' && /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
