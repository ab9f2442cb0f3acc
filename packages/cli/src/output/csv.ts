import { cell, type JsonObject, valueAt } from '../terminal/value.ts';

/** A line of CSV (RFC 4180, with a line feed at its end) for each row. */
export function csvLines(columns: readonly string[], rows: readonly JsonObject[]): string {
  return rows.map((row) => csvLine(columns.map((column) => valueAt(row, column)))).join('');
}

/** One line. Null is empty, a list of words is separated by commas, anything deeper is JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

/**
 * What a spreadsheet would run as a formula begins with an apostrophe, which it takes for the mark of text: a name in
 * somebody's data must not become a command on the machine of who opens the file. Numbers stay numbers.
 */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = cell(value);
  const safe = typeof value !== 'number' && /^\s*[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
