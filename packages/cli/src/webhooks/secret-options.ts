import { type Command, Option } from 'commander';
import { collect } from '../command/input.ts';
import { CliError } from '../errors/cli-error.ts';

/** Adds the options of a command that signs or verifies. The secret itself is never an argument. */
export function addSecretOptions(command: Command): Command {
  return command
    .option(
      '--secret-file <file>',
      'signing secrets, one per line, or - for stdin; PLAT_WEBHOOK_SECRET when absent',
      collect,
    )
    .addOption(new Option('--secret <never>').hideHelp().argParser(refuseSecretOnCommandLine));
}

function refuseSecretOnCommandLine(): never {
  throw new CliError('USAGE', 'A signing secret on the command line is visible to every user of this machine', {
    next: 'Set PLAT_WEBHOOK_SECRET, or pass --secret-file <file> (- for stdin). If the secret is real, rotate it.',
  });
}
