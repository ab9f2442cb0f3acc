import type { Connection } from '../connection/connection.ts';
import { type Io, write } from '../terminal/io.ts';
import { safeMessage } from '../terminal/printable.ts';
import type { GlobalFlags } from './flags.ts';

/** Everything that a command receives. */
export interface CommandContext {
  readonly io: Io;
  readonly flags: GlobalFlags;
  /** Full name of the command, for messages: `plat clients create`. */
  readonly command: string;
  /** State that error reports use. */
  readonly trace: Trace;
}

/** State of a running command, for error reports. Commands update it. */
export interface Trace {
  /** The server and credential, once resolved. */
  connection: Connection | null;
  /** The option that continues a list of which a part has been printed. */
  resumeWith: '--starting-after' | '--ending-before' | null;
  /** The arguments as they were typed. */
  readonly args: readonly string[];
  /** Exit code of a child command, which becomes that of the process. */
  exitCode?: number;
}

/** Writes a result. Nothing else goes to stdout. */
export function print({ io }: CommandContext, text: string): Promise<void> {
  return write(io.stdout, text);
}

/** Writes a note to stderr. In JSON mode it writes nothing, since stderr then holds errors only. */
export async function note({ io, flags }: CommandContext, text: string): Promise<void> {
  if (!flags.json) await write(io.stderr, `${safeMessage(text)}\n`);
}
