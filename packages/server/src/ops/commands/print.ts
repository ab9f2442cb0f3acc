/** A value of a printed row. */
type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** Prints one result: its fields, one a line; or as JSON. */
export function printFields(fields: Row, json: boolean): void {
  process.stdout.write(json ? asJson(fields) : asLines(fields));
}

/** Prints rows as a table; or as JSON, an array. */
export function printRows(rows: readonly Row[], json: boolean): void {
  if (rows.length === 0 && !json) process.stderr.write('There are none.\n');
  else process.stdout.write(json ? asJson(rows) : asTable(rows));
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function asLines(fields: Row): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}\n`)
    .join('');
}

function asTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const table = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
