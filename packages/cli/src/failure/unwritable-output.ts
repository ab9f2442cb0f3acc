import { isJsonRequested } from '../command/flags.ts';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { EXIT_CODES } from '../errors/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { failureOf } from './failure.ts';
import { report } from './report.ts';

/** Reports that stdout cannot be written, and ends the process. */
export async function reportUnwritableOutput(args: readonly string[], io: Io, cause: Error): Promise<void> {
  const end = () => process.exit(EXIT_CODES.unexpected);
  io.stderr.once('error', end);
  const error = new CliError('UNWRITABLE_OUTPUT', `The result cannot be written (${codeOf(cause)})`, {
    next: 'Check that the disk is not full, or write to another file. A change may have been made nevertheless.',
  });
  const failure = await failureOf(error, { command: 'plat', connection: null, resumeWith: null, args });
  await report(io, failure, isJsonRequested(args));
  io.stderr.write('', end);
}
