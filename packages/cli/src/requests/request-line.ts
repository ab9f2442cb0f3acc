import type { LoggedRequest } from '@plat/contract';
import type { CommandContext } from '../command/context.ts';
import { printable } from '../terminal/printable.ts';
import { styleOf } from '../terminal/style.ts';
import { timeOfDay } from '../terminal/time-of-day.ts';

const LONGEST_METHOD = 'DELETE'.length;

/** Returns a request as one line, followed by its error. */
export function requestLines({ io }: CommandContext, request: LoggedRequest): readonly string[] {
  const { id, method, path, query, status, outcome, error, duration_ms: ms, created_at: at } = request;
  const style = styleOf(io, io.stdout);
  const result = printable(`${status ?? '---'}  ${`${Math.round(ms)} ms`.padStart(8)}`);
  const cells = [
    style.faint(timeOfDay(Date.parse(at))),
    outcome === 'succeeded' ? result : style.alarm(result),
    printable(method).padEnd(LONGEST_METHOD),
    printable(query === null ? path : `${path}?${query}`),
    ...(error ? [printable(error.code)] : []),
    style.faint(printable(id)),
  ];
  const wrong = error?.errors ?? (error ? [{ path: '', message: error.message }] : []);
  return [cells.join('  '), ...wrong.map((one) => `          ${printable(`${one.path} ${one.message}`.trim())}`)];
}
