import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { CliError } from '../errors/cli-error.ts';
import type { DevOptions } from './dev-options.ts';

/** `plat dev`: runs the platform on the developer's machine. */
export function devCommand(contextOf: ContextOf): Command {
  const command = new Command('dev')
    .helpCommand(false)
    .summary(OTHER_COMMANDS.dev)
    .description(
      'Run the platform on this machine until Ctrl-C: the reference server of @plat/server, with an embedded database and a sandbox. With a command after --, run it against that server, and stop when it ends.',
    )
    .argument('[command...]', 'after --: runs with PLAT_BASE_URL and PLAT_API_KEY in its environment')
    .option('--port <port>', '0: any free port; 4010 when absent, any free one with a command', readPort)
    .option('--db <url|file>', 'mysql://…, or a SQLite file; one in the data folder when absent')
    .option('--fresh', 'use a temporary data folder instead of .plat or PLAT_DATA_DIR')
    .option(
      '--deterministic <n>',
      'the same ids, secrets and log in each run; needs a new database: --fresh',
      (given) => readInteger('--deterministic', given),
    )
    .option('--seed <file>', 'JSON with clients, groups, users, webhook_endpoints to create; - for stdin')
    .option('--ready-file <file>', 'written when it is ready: JSON with pid, base_url, api_key, tenant_id')
    .option('--server <file>', 'plat-server to run instead of the installed one')
    .option('-y, --yes', 'let npm download @plat/server if it is not installed')
    .addHelpText('after', HELP);
  return command.action(async (words: readonly string[]) => {
    refuseUnknownCommand(command, words);
    const { runPlatform } = await import('./run-platform.ts');
    await runPlatform(contextOf(command), command.opts<DevOptions & object>(), words);
  });
}

const HELP = `
The server is that of the project (npm install --save-dev @plat/server), or the one beside this CLI. Of your environment
it is given no DATABASE_URL, REDIS_URL, SMTP_URL, PORT, HOST or NODE_ENV: those are your application's.

Examples:
  plat dev
  plat dev --port 0 --ready-file /tmp/plat.json
  plat dev --fresh --seed testdata.json -- npm test

PowerShell removes -- from a command. Quote it there: plat dev '--' npm test`;

/** Refuses an unknown subcommand of `plat dev`. Words after `--` are a command to run. */
function refuseUnknownCommand(command: Command, [word]: readonly string[]): void {
  // The root command keeps the raw arguments.
  const typed: unknown = Reflect.get(command.parent ?? command, 'rawArgs');
  if (word === undefined || (Array.isArray(typed) && typed.includes('--'))) return;
  throw new CliError('USAGE', `There is no plat dev ${word}`, {
    next: "See plat dev --help. Put a program to run after --: plat dev -- npm test (in PowerShell: plat dev '--' npm test)",
  });
}

function readPort(given: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CliError('USAGE', '--port must be a port, 0 to 65535');
}
