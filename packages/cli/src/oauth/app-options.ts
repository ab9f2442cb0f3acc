import { type Command, Option } from 'commander';
import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';

/** Options that identify the app of a command. */
export interface AppOptions {
  readonly appId: string;
  readonly appSecretFile?: string;
}

/** Adds the options that identify an app. The secret itself is never an argument. */
export function addAppOptions(command: Command): Command {
  return command
    .requiredOption('--app-id <app_id>', 'id of the app, app_… (required)')
    .option('--app-secret-file <file>', 'its secret, or - for stdin; PLAT_APP_SECRET when absent')
    .addOption(new Option('--app-secret <never>').hideHelp().argParser(refuseSecretOnCommandLine));
}

/** @throws {@link CliError} `USAGE` without a secret, `UNREADABLE_INPUT` */
export async function readAppSecret(io: Io, { appSecretFile }: AppOptions): Promise<string> {
  const secret =
    appSecretFile === undefined
      ? (io.env['PLAT_APP_SECRET'] ?? '')
      : await readInput(io, '--app-secret-file', appSecretFile);
  if (secret.trim() !== '') return secret.trim();
  throw new CliError('USAGE', appSecretFile === undefined ? 'There is no app secret' : '--app-secret-file is empty', {
    hint: 'It is the plat_cs_… shown when the app was registered or its secret was rotated.',
    next: 'Set PLAT_APP_SECRET, or pass --app-secret-file <file> (- for stdin).',
  });
}

function refuseSecretOnCommandLine(): never {
  throw new CliError('USAGE', 'An app secret on the command line is visible to every user of this machine', {
    next: 'Set PLAT_APP_SECRET, or pass --app-secret-file <file>. If the secret is real: plat apps rotate-secret',
  });
}
