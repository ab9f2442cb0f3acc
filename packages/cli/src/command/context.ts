import type { Connection } from '../connection/connection.ts';
import { type Io, write } from '../terminal/io.ts';
import { safeMessage } from '../terminal/printable.ts';
import type { GlobalFlags } from './flags.ts';

/** What a command works with. */
export interface CommandContext {
  readonly io: Io;
  readonly flags: GlobalFlags;
  /** How the command is called, for messages: `plat clients create`. */
  readonly command: string;
  /** What an error can tell of the way so far. */
  readonly trace: Trace;
}

/** Written by the command as it goes. */
export interface Trace {
  /** Where requests go, as soon as it is known. */
  connection: Connection | null;
  /** The option that goes on with a list of which a part is printed already. */
  resumeWith: '--starting-after' | '--ending-before' | null;
  /** The arguments as they were typed. */
  readonly args: readonly string[];
  /** What the process ends with, where a command that was run on its behalf says it. */
  exitCode?: number;
}

/** A result: the only thing that goes to stdout. */
export function print({ io }: CommandContext, text: string): Promise<void> {
  return write(io.stdout, text);
}

/** A word to the person at the terminal. Not in JSON mode, where stderr holds errors only. */
export async function note({ io, flags }: CommandContext, text: string): Promise<void> {
  if (!flags.json) await write(io.stderr, `${safeMessage(text)}\n`);
}
