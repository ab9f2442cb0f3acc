/**
 * Returns a line of CSV (RFC 4180) that ends with a line feed. Null is an empty cell. Text that a spreadsheet would run as
 * a formula gets an apostrophe in front (CSV injection); numbers stay numbers. A spreadsheet that separates cells by
 * semicolons or tabs also splits quoted text there and at line breaks, so the apostrophe is inserted behind each of them
 * too.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = value.replace(FORMULA_AT_START, "'").replace(FORMULA_BEHIND_SEPARATOR, "$&'");
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// The full-width characters begin formulas in East Asian locales (OWASP, CSV injection).
const FORMULA_AT_START = /^(?=\s*[=+\-@＝＋－＠])/u;
const FORMULA_BEHIND_SEPARATOR = /[;\t\r\n](?=(?:"|[^\S\t\r\n])*[=+\-@＝＋－＠])/gu;
