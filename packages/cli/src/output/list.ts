import { shellWord } from '../command/command-line.ts';
import { type CommandContext, note, print } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { stopOnSignals } from '../terminal/stopping.ts';
import { styleOf } from '../terminal/style.ts';
import type { JsonObject } from '../terminal/value.ts';
import { columnsFor, dispensableOf } from './columns.ts';
import { csvLine, csvLines } from './csv.ts';
import { noteUnknownFields, pickFields } from './fields.ts';
import { withProgress } from './progress.ts';
import { json, jsonLine, printResult } from './result.ts';
import { createTable, type Table } from './table.ts';

/** Prints the items of a list in parts, as they arrive. */
export interface ListPrinter {
  rows(items: readonly JsonObject[]): Promise<void>;
  end(): Promise<void>;
}

/** A list as the API returns it. */
export interface ItemList {
  readonly object: 'list';
  readonly data: readonly JsonObject[];
  readonly has_more: boolean;
}

/** Returns the printer for the selected format. */
export function listPrinter(context: CommandContext): ListPrinter {
  const { output } = context.flags;
  if (output === 'ndjson') return lineListPrinter(context);
  return output === 'json' ? arrayListPrinter(context) : tableListPrinter(context);
}

/** Prints a complete list: as the API's JSON with its envelope, or its items only. */
export async function printList(context: CommandContext, list: ItemList): Promise<void> {
  if (context.flags.output === 'json') return printResult(context, list);
  const printer = listPrinter(context);
  await printer.rows(list.data);
  await printer.end();
}

/**
 * Prints a list as its parts arrive. If stdout is a file or pipe, progress is shown on the terminal.
 * @param partsUntil loads the parts, and throws when the signal aborts
 * @param expected maximum number of items, if known
 * @throws {@link CliError} `INTERRUPTED` after Ctrl-C, with the number of items that were written
 */
export async function printParts(
  context: CommandContext,
  partsUntil: (signal: AbortSignal) => AsyncIterable<readonly JsonObject[]>,
  {
    printer = listPrinter(context),
    expected,
  }: { readonly printer?: ListPrinter; readonly expected?: number | undefined },
): Promise<void> {
  const stopping = stopOnSignals(['SIGINT']);
  let count = 0;
  try {
    await withProgress(context, async (show) => {
      for await (const items of partsUntil(stopping.signal)) {
        await printer.rows(items);
        count += items.length;
        const share = expected === undefined ? undefined : count / expected;
        if (!context.io.stdout.isTTY) await show({ text: `${count} so far`, share });
      }
    });
  } catch (error) {
    throw stopping.signal.aborted ? interrupted(context, count, error) : error;
  } finally {
    stopping.release();
  }
  await printer.end();
}

/** Names the cursor of the first item that was not written, if the list has one. */
function interrupted({ trace }: CommandContext, count: number, error: unknown): CliError {
  const cursor = error instanceof Error && 'cursor' in error && typeof error.cursor === 'string' ? error.cursor : null;
  return new CliError('INTERRUPTED', `Interrupted: ${count} ${count === 1 ? 'item was' : 'items were'} written`, {
    next:
      cursor === null || trace.resumeWith === null
        ? undefined
        : `Continue with ${trace.resumeWith} ${shellWord(cursor)}.`,
  });
}

/** Prints one item per line. */
function lineListPrinter(context: CommandContext): ListPrinter {
  return {
    rows: (items) => print(context, items.map((item) => `${jsonLine(pickFields(context, item))}\n`).join('')),
    end: async () => {},
  };
}

/** Prints one JSON array. After an error it stays unclosed, so that an incomplete list is not valid JSON. */
export function arrayListPrinter(context: CommandContext): ListPrinter {
  return jsonListPrinter(context, '[\n', '  ', (isEmpty) => (isEmpty ? '[]\n' : '\n]\n'));
}

/** Envelope fields of a list, known after the last page. */
export interface ListEnd {
  url: string;
  hasMore: boolean;
}

/** Prints the items of several pages in one envelope of the API. */
export function envelopeListPrinter(context: CommandContext, end: ListEnd): ListPrinter {
  const opening = '{\n  "object": "list",\n  "data": [';
  return jsonListPrinter(context, `${opening}\n`, '    ', (isEmpty) => {
    const rest = `],\n  "has_more": ${end.hasMore},\n  "url": ${json(end.url)}\n}\n`;
    return isEmpty ? `${opening}${rest}` : `\n  ${rest}`;
  });
}

function jsonListPrinter(
  context: CommandContext,
  opening: string,
  indent: string,
  endOf: (isEmpty: boolean) => string,
): ListPrinter {
  let before = opening;
  return {
    async rows(items) {
      for (const item of items) {
        await print(context, `${before}${json(pickFields(context, item)).replace(/^/gm, indent)}`);
        before = ',\n';
      }
    },
    end: () => print(context, endOf(before === opening)),
  };
}

/** Prints a table or CSV. An empty list leaves stdout empty, except for the heading of CSV with the columns of `--fields`. */
export function tableListPrinter(context: CommandContext): ListPrinter {
  const { io, flags } = context;
  let columns: readonly string[] | undefined;
  let table: Table | undefined;
  return {
    async rows(items) {
      if (items.length === 0) return;
      const isFirst = columns === undefined;
      if (isFirst) await noteUnknownFields(context, items);
      columns ??= flags.fields ?? columnsFor(items);
      if (flags.output === 'csv') {
        return print(context, (isFirst ? csvLine(columns) : '') + csvLines(columns, items));
      }
      const isFitted = io.stdout.isTTY === true && !flags.wide;
      table ??= createTable({
        columns,
        style: styleOf(io, io.stdout),
        maxWidth: isFitted ? (io.stdout.columns ?? 80) : undefined,
        // Columns of --fields are never omitted.
        dispensable: flags.fields ? [] : dispensableOf(columns),
        now: isFitted ? Date.now() : undefined,
      });
      await print(context, `${table.lines(items).join('\n')}\n`);
      const { hidden } = table;
      if (isFirst && hidden.length > 0) await note(context, `Not shown: ${hidden.join(', ')} (add --wide)`);
    },
    async end() {
      if (columns) return;
      if (flags.output === 'csv' && flags.fields) await print(context, csvLine(flags.fields));
      await note(context, 'None found.');
    },
  };
}
