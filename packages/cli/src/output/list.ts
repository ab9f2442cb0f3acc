import { type CommandContext, note, print } from '../context.ts';
import { columnsFor } from '../operations/columns.ts';
import { json, jsonLine } from './result.ts';
import { styleOf } from './style.ts';
import { createTable, type Table } from './table.ts';
import type { JsonObject } from './value.ts';

/** How the items of a list go out, in parts as they come. */
export interface ListPrinter {
  rows(items: readonly JsonObject[]): Promise<void>;
  end(): Promise<void>;
}

/** One item a line. */
export function lineListPrinter(context: CommandContext): ListPrinter {
  return {
    rows: (items) => print(context, items.map((item) => `${jsonLine(item)}\n`).join('')),
    end: async () => {},
  };
}

/** One JSON array. After an error it stays open: half a list must not pass for a whole one. */
export function arrayListPrinter(context: CommandContext): ListPrinter {
  let before = '[\n';
  return {
    async rows(items) {
      for (const item of items) {
        await print(context, `${before}${json(item).replace(/^/gm, '  ')}`);
        before = ',\n';
      }
    },
    end: () => print(context, before === '[\n' ? '[]\n' : '\n]\n'),
  };
}

/** A table; where nothing is there to show, stdout stays empty. */
export function tableListPrinter(context: CommandContext): ListPrinter {
  const { io } = context;
  let table: Table | undefined;
  return {
    async rows(items) {
      if (items.length === 0) return;
      table ??= createTable({
        columns: columnsFor(items),
        style: styleOf(io, io.stdout),
        maxWidth: io.stdout.isTTY ? (io.stdout.columns ?? 80) : undefined,
      });
      await print(context, `${table.lines(items).join('\n')}\n`);
    },
    async end() {
      if (!table) await note(context, 'There are none.');
    },
  };
}
