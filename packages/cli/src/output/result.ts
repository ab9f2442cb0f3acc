import type { CommandContext } from '../context.ts';
import { print } from '../context.ts';
import { printable, printableJson } from './printable.ts';
import { recordLines } from './record.ts';
import { styleOf } from './style.ts';
import { isObject } from './value.ts';

/** Prints one result: as the API's JSON, or as lines of name and value. */
export async function printResult(context: CommandContext, value: unknown): Promise<void> {
  if (context.flags.json || !isObject(value)) return print(context, `${json(value)}\n`);
  const { io } = context;
  await print(context, `${recordLines(value, styleOf(io, io.stdout)).join('\n')}\n`);
}

/** JSON over several lines, safe to show on a terminal. */
export function json(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

/** JSON on one line. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}
