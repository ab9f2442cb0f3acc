import { relativeTime } from '../terminal/relative-time.ts';
import type { Style } from '../terminal/style.ts';
import { cell, type JsonObject, valueAt } from '../terminal/value.ts';
import { fit, pad, width } from '../terminal/width.ts';

/**
 * A table that is printed in parts. The first part fixes the column widths, so that rows can be printed as they
 * arrive.
 */
export interface Table {
  /** Returns the lines of some rows; the heading precedes the first. */
  lines(rows: readonly JsonObject[]): string[];
  /** Columns omitted because the terminal is too narrow; known after the first rows. */
  readonly hidden: readonly string[];
}

interface TableOptions {
  /** Names or paths of fields: `actor.id`. */
  readonly columns: readonly string[];
  readonly style: Style;
  /** Width of the terminal in columns; undefined for a pipe or file, where nothing is cut. */
  readonly maxWidth: number | undefined;
  /** Columns that a narrow terminal may omit, the least important first. */
  readonly dispensable?: readonly string[];
  /** Current time in ms for relative times (`3 h ago`); undefined shows exact times. */
  readonly now?: number | undefined;
}

const GAP = '  ';

/** Minimum width of a cut column; the line may then exceed the terminal. */
const MIN_COLUMN = 8;

/** Minimum useful width: before a column is cut below it, a less important one is omitted. */
const USEFUL_WIDTH = 14;

export function createTable({ columns, style, maxWidth, dispensable = [], now }: TableOptions): Table {
  let layout: Layout | undefined;
  const textOf = (row: JsonObject, column: string): string => {
    const value = valueAt(row, column);
    return now !== undefined && typeof value === 'string' && IS_TIME.test(value) ? relativeTo(value, now) : cell(value);
  };
  const line = ({ columns: shown, sizes }: Layout, textIn: (column: string) => string): string =>
    shown
      .map((column, index) => {
        const [text, size] = [textIn(column), sizes[index] ?? 0];
        return pad(maxWidth === undefined ? text : fit(text, size), size);
      })
      .join(GAP)
      .trimEnd();
  return {
    get hidden() {
      return columns.filter((column) => layout && !layout.columns.includes(column));
    },
    lines(rows) {
      const heading: string[] = [];
      if (!layout) {
        const natural = columns.map((column) =>
          Math.max(width(titleOf(column)), ...rows.map((row) => width(textOf(row, column)))),
        );
        layout = layoutOf({ columns, natural, maxWidth, dispensable });
        heading.push(style.heading(line(layout, titleOf)));
      }
      const known = layout;
      return [...heading, ...rows.map((row) => line(known, (column) => textOf(row, column)))];
    },
  };
}

/** The columns of an unknown kind of object are named by the server. */
function titleOf(column: string): string {
  return cell(column.toUpperCase());
}

interface Layout {
  /** Columns shown. */
  readonly columns: readonly string[];
  /** Their widths. */
  readonly sizes: readonly number[];
}

/** Omits the least important columns until the others keep a useful width, then cuts the widest. */
function layoutOf({
  columns,
  natural,
  maxWidth,
  dispensable,
}: {
  readonly columns: readonly string[];
  readonly natural: readonly number[];
  readonly maxWidth: number | undefined;
  readonly dispensable: readonly string[];
}): Layout {
  if (maxWidth === undefined) return { columns, sizes: natural };
  const shown = new Set(columns);
  for (const column of dispensable) {
    const useful = columns.flatMap((name, index) => {
      const size = natural[index] ?? 0;
      return shown.has(name) ? [IS_ID.test(name) ? size : Math.min(size, USEFUL_WIDTH)] : [];
    });
    if (lineWidth(useful) <= maxWidth) break;
    shown.delete(column);
  }
  const kept = columns.filter((column) => shown.has(column));
  const sizes = natural.filter((_, index) => shown.has(columns[index] ?? ''));
  return { columns: kept, sizes: shrink(sizes, kept, maxWidth) };
}

const IS_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function relativeTo(instant: string, now: number): string {
  return relativeTime(Date.parse(instant) / 1000, now / 1000);
}

const IS_ID = /(?:^|[._])id$/;

/** Shrinks the widest columns until the line fits. Ids stay whole, so that they can be copied. */
function shrink(sizes: readonly number[], columns: readonly string[], maxWidth: number): readonly number[] {
  const shrunk = [...sizes];
  for (let excess = lineWidth(shrunk) - maxWidth; excess > 0; excess--) {
    let widest = -1;
    for (const [index, size] of shrunk.entries()) {
      if (!IS_ID.test(columns[index] ?? '') && size > MIN_COLUMN && size > (shrunk[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    shrunk[widest] = (shrunk[widest] ?? 0) - 1;
  }
  return shrunk;
}

function lineWidth(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size + GAP.length, -GAP.length);
}
