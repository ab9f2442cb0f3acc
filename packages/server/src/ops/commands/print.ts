import { printable, printableJson } from '@plat/contract';
import type { UnreadableValue } from '../reencrypt.ts';
import type { SecretsReport } from './secrets.ts';

/** Maximum number of rows that a text names for one problem. */
const MAX_NAMED = 3;

/** Value of a printed row. */
type Cell = string | number | boolean | null | readonly string[];
type Row = Readonly<Record<string, Cell>>;

/** Prints one result as lines of fields, or as JSON. */
export function printFields(fields: Row, json: boolean): void {
  process.stdout.write(json ? asJson(fields) : asLines(fields));
}

/** Prints rows as a table, or as a JSON array. */
export function printRows(rows: readonly Row[], json: boolean): void {
  if (rows.length === 0 && !json) process.stderr.write('There are none.\n');
  else process.stdout.write(json ? asJson(rows) : asTable(rows));
}

/** Prints objects of the API: some of their fields as a table, or all as JSON. */
export function printObjects<Name extends string>(
  objects: readonly Readonly<Partial<Record<Name, Cell>>>[],
  names: readonly Name[],
  json: boolean,
): void {
  if (json) return void process.stdout.write(asJson(objects));
  printRows(
    objects.map((object) => Object.fromEntries(names.map((name) => [name, object[name] ?? null]))),
    false,
  );
}

/** Prints the report on sealed values: counts, advice, and a line for each problem of unreadable values; or JSON. */
export function printSecrets(report: SecretsReport, json: boolean): void {
  if (json) return void process.stdout.write(asJson(report));
  const { kinds, unreadable, notes } = report;
  const problems = Map.groupBy(unreadable, ({ kind, reason }) => `${kind} ${reason}`);
  const lines = [...problems.values()].map(asProblem);
  process.stdout.write([asTable(kinds), ...[...notes, ...lines].map((line) => `${line}\n`)].join('\n'));
}

/** Returns a line for values of one kind that cannot be read for one reason. */
function asProblem(values: readonly UnreadableValue[]): string {
  const [{ kind, reason, remedy } = { kind: '', reason: '', remedy: '' }] = values;
  const named = values.slice(0, MAX_NAMED).map(({ row }) => row);
  const unnamed = values.length - named.length;
  const more = unnamed > 0 ? ` and ${unnamed} more, which --json names` : '';
  return printable(`${kind} (${named.join(', ')}${more}): ${reason}; ${remedy}`);
}

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(asJson(value));
}

/** Prints lines of text. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(joined(lines));
}

/** Prints lines about the result to stderr. */
export function printNotes(lines: readonly string[]): void {
  process.stderr.write(joined(lines));
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** Shows progress on one line of a terminal; prints nothing elsewhere. */
export function printProgress(kind: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${kind}: ${rows} looked at`);
}

/** Ends the line of {@link printProgress}. */
export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

function asJson(value: unknown): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`;
}

function asLines(fields: Row): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${asText(value)}\n`)
    .join('');
}

function asText(value: Cell): string {
  return printable(Array.isArray(value) ? value.join(' ') : String(value ?? '-'));
}

function asTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const table = [names, ...rows.map((row) => names.map((name) => asText(row[name] ?? null)))];
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
