import { type Command, CommanderError } from 'commander';
import type { Trace } from './command/context.ts';
import { isJsonRequested } from './command/flags.ts';
import { CliError } from './errors/cli-error.ts';
import { EXIT_CODES } from './errors/exit-codes.ts';
import { helpTopic } from './help/help-topics.ts';
import { usageHint } from './help/usage-hint.ts';
import { createProgram, nameOf } from './program.ts';
import { type Io, write } from './terminal/io.ts';

/**
 * Runs a command.
 * @param typed - arguments after `plat`
 * @returns the exit code: one of {@link EXIT_CODES}, or that of the command that `plat listen -- …` ran. Errors are
 * already reported on stderr.
 */
export async function run(typed: readonly string[], io: Io): Promise<number> {
  const args = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed;
  const trace: Trace = { connection: null, resumeWith: null, args: typed };
  const json = isJsonRequested(args);
  let unasked = '';
  let asked = '';
  const program = createProgram(io, trace, {
    asked: (text) => {
      asked += text;
    },
    unasked: (text) => {
      unasked += text;
    },
  });
  const named = namedCommand(program, args);
  try {
    const topic = typed[0] === 'help' ? helpTopic(program, typed.slice(1)) : null;
    if (topic !== null) {
      await write(io.stdout, topic);
      return EXIT_CODES.ok;
    }
    await program.parseAsync(args, { from: 'user' });
    return trace.exitCode ?? EXIT_CODES.ok;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      await write(io.stdout, asked);
      return EXIT_CODES.ok;
    }
    if (!json) await write(io.stderr, unasked && `${unasked}\n`);
    const [{ failureOf }, { report }] = await Promise.all([
      import('./failure/failure.ts'),
      import('./failure/report.ts'),
    ]);
    const command = nameOf(named);
    const failure = await failureOf(error instanceof CommanderError ? usageError(error, named, args) : error, {
      command,
      ...trace,
    });
    await report(io, failure, json);
    return failure.exitCode;
  }
}

function usageError(error: CommanderError, named: Command, args: readonly string[]): CliError {
  const command = nameOf(named);
  // A command group without a subcommand.
  if (error.code === 'commander.help') return new CliError('USAGE', `${command} needs a command`);
  const [message = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
  return new CliError('USAGE', message, {
    hint: suggestion.length > 0 ? suggestion.join(' ').replace(/^\((.*)\)$/, '$1') : usageHint(named, message, args),
    next: `See ${command} --help.`,
  });
}

/** Returns the command that the arguments name, or its closest ancestor. */
function namedCommand(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const arg of args) {
    command = command.commands.find((child) => child.name() === arg) ?? command;
    if (command.commands.length === 0) break;
  }
  return command;
}
