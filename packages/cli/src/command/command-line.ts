import { printable } from '../terminal/printable.ts';
import type { CommandContext } from './context.ts';

/** The command as it was typed, with further words, so that it can be pasted into a shell. */
export function repeatCommand({ trace }: CommandContext, ...more: readonly string[]): string {
  const end = trace.args.indexOf('--');
  const own = end === -1 ? trace.args : trace.args.slice(0, end);
  const rest = end === -1 ? [] : trace.args.slice(end);
  return ['plat', ...own, ...more, ...rest].map(shellWord).join(' ');
}

/** The command as it was typed without an option and its value, with that option set anew. */
export function repeatWithOption(context: CommandContext, name: string, value: string): string {
  const args = context.trace.args.filter(
    (arg, index, all) => arg !== name && all[index - 1] !== name && !arg.startsWith(`${name}=`),
  );
  return repeatCommand({ ...context, trace: { ...context.trace, args } }, name, value);
}

/** One word of a POSIX shell, quoted where it needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}

/** One word of a POSIX shell in quotes. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll("'", "'\\''")}'`;
}
