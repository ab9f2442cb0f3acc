import type { CommandContext } from '../command/context.ts';
import { print } from '../command/context.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import { isObject, itemsOf } from '../terminal/value.ts';
import { csvLine, csvLines } from './csv.ts';
import { noteUnknownFields, pickFields } from './fields.ts';
import { recordLines } from './record.ts';

/** Prints one result: as the API's JSON, as lines of name and value, or as CSV. */
export async function printResult(context: CommandContext, value: unknown): Promise<void> {
  const { io, flags } = context;
  if (!isObject(value)) return print(context, `${json(value)}\n`);
  const items = flags.fields || flags.output === 'ndjson' ? itemsOf(value) : null;
  if (flags.output === 'ndjson') {
    return print(context, (items ?? [value]).map((item) => `${jsonLine(pickFields(context, item))}\n`).join(''));
  }
  if (flags.json) {
    const shown = items
      ? { ...value, data: items.map((item) => pickFields(context, item)) }
      : pickFields(context, value);
    return print(context, `${json(shown)}\n`);
  }
  await noteUnknownFields(context, [value]);
  if (flags.output === 'csv') {
    const columns = flags.fields ?? Object.keys(value);
    return print(context, csvLine(columns) + csvLines(columns, [value]));
  }
  await print(context, `${recordLines(pickFields(context, value), styleOf(io, io.stdout)).join('\n')}\n`);
}

/** Returns indented JSON that is safe to print on a terminal. */
export function json(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

/** Returns JSON on one line. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}
