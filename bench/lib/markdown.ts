import type { Spread } from './statistics.ts';

/** Formats a table for terminals and browsers: the first column to the left, figures to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? '')].map(width)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0)).join(' | ')} |`;
  const rule = widths.map((size, column) => (column > 0 ? `${'-'.repeat(size - 1)}:` : '-'.repeat(size)));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Formats a number with three significant digits and thousands separators. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

/** Formats a ratio with its range. */
export function times({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** A promise of an issue or the README with its measurement. */
export interface Target {
  readonly what: string;
  readonly measured: number;
  readonly shown?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function targets(list: readonly Target[]): string {
  const rows = list.map(({ what, measured, shown, atLeast, atMost }) => {
    const reached = (atLeast === undefined || measured >= atLeast) && (atMost === undefined || measured <= atMost);
    const target =
      atLeast === undefined ? `≤ ${atMost?.toLocaleString('en-US')}` : `≥ ${atLeast.toLocaleString('en-US')}`;
    return [what, shown ?? number(measured), target, reached ? 'reached' : '**missed**'];
  });
  return table(['to reach', 'measured', 'target', ''], rows);
}

function pad(text: string, size: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, size - width(text)));
  return right ? space + text : text + space;
}

const width = (text: string): number => [...text].length;
