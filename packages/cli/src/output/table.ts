import type { Style } from './style.ts';
import { cell, type JsonObject, valueAt } from './value.ts';
import { fit, pad, width } from './width.ts';

/** A table that is printed in parts: the widths are those of the first part, so that rows can go out as they come. */
export interface Table {
  /** Lines of some rows, with the heading before the first. */
  lines(rows: readonly JsonObject[]): string[];
}

interface TableOptions {
  /** Names of fields; one below another by its path, `actor.id`. */
  readonly columns: readonly string[];
  readonly style: Style;
  /** Columns of the terminal; undefined where nothing may be cut: a pipe or a file. */
  readonly maxWidth: number | undefined;
}

const GAP = '  ';

/** Fewer columns than this are of no use to a reader; a line is then rather too long. */
const MIN_COLUMN = 8;

export function createTable({ columns, style, maxWidth }: TableOptions): Table {
  let widths: readonly number[] | undefined;
  const line = (cells: readonly string[], sizes: readonly number[]) =>
    cells
      .map((text, index) => {
        const size = sizes[index] ?? 0;
        return pad(maxWidth === undefined ? text : fit(text, size), size);
      })
      .join(GAP)
      .trimEnd();
  return {
    lines(rows) {
      const body = rows.map((row) => columns.map((column) => cell(valueAt(row, column))));
      if (widths) {
        const sizes = widths;
        return body.map((cells) => line(cells, sizes));
      }
      const heading = columns.map((column) => column.toUpperCase());
      const sizes = shrink(
        heading.map((title, index) => Math.max(width(title), ...body.map((cells) => width(cells[index] ?? '')))),
        columns,
        maxWidth,
      );
      widths = sizes;
      return [style.heading(line(heading, sizes)), ...body.map((cells) => line(cells, sizes))];
    },
  };
}

const IS_ID = /(?:^|[._])id$/;

/** Takes from the widest column until the line fits. Ids stay whole: they are there to be copied. */
function shrink(sizes: readonly number[], columns: readonly string[], maxWidth: number | undefined): readonly number[] {
  if (maxWidth === undefined) return sizes;
  const shrunk = [...sizes];
  let excess = shrunk.reduce((sum, size) => sum + size + GAP.length, -GAP.length) - maxWidth;
  while (excess > 0) {
    let widest = -1;
    for (const [index, size] of shrunk.entries()) {
      if (!IS_ID.test(columns[index] ?? '') && size > MIN_COLUMN && size > (shrunk[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    shrunk[widest] = (shrunk[widest] ?? 0) - 1;
    excess--;
  }
  return shrunk;
}
