import { printable } from '../terminal/printable.ts';
import type { CommandContext } from './context.ts';

/** Returns the typed command with additional arguments, quoted for a POSIX shell. */
export function repeatCommand({ trace }: CommandContext, ...more: readonly string[]): string {
  const end = trace.args.indexOf('--');
  const own = end === -1 ? trace.args : trace.args.slice(0, end);
  const rest = end === -1 ? [] : trace.args.slice(end);
  return ['plat', ...own, ...more, ...rest].map(shellWord).join(' ');
}

/** Returns the typed command with the value of one option replaced. */
export function repeatWithOption(context: CommandContext, name: string, value: string): string {
  const args = context.trace.args.filter(
    (arg, index, all) => arg !== name && all[index - 1] !== name && !arg.startsWith(`${name}=`),
  );
  return repeatCommand({ ...context, trace: { ...context.trace, args } }, name, value);
}

/** Returns one POSIX shell word, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** Returns one POSIX shell word in single quotes. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", "'\\''")}'`;
}
