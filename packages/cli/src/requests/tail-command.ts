import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { readInteger } from '../command/input.ts';
import { CliError } from '../errors/cli-error.ts';
import type { TailOptions } from './run-tail.ts';

const MOST_LINES = 100;

/** `plat requests tail`: follows the request log. */
export function tailCommand(contextOf: ContextOf): Command {
  const command = new Command('tail')
    .summary('Show requests as they arrive')
    .description('Show the last requests, then each new one, until Ctrl-C.')
    .option('--failed', 'only requests with a status of 400 or more, or without an answer')
    .option('--code <code>', 'only requests that were refused with this code, such as INVALID_BODY')
    .option('--operation <operation>', 'only requests for this operation, such as clients.create')
    .option('--credential-id <id>', 'only requests with this API key, or under this grant')
    .option('-n, --lines <n>', 'how many of the last to begin with; 10 when absent', (given) =>
      readInteger('--lines', given),
    )
    .option('--ndjson', 'JSON, one object per line, as --json')
    .addHelpText('after', HELP);
  return command.action(async () => {
    const { lines = 10, ...options }: TailOptions & { readonly lines?: number } = command.opts();
    if (lines < 0 || lines > MOST_LINES) throw new CliError('USAGE', `--lines takes 0 to ${MOST_LINES}`);
    const { runTail } = await import('./run-tail.ts');
    await runTail(contextOf(command), lines, options);
  });
}

const HELP = `
What was wrong with a request is below its line. Reads of the log itself are not in it.
All of one request: plat requests get <request_id>

Scope: audit:read

Examples:
  plat requests tail --failed
  plat requests tail -n 0 --operation clients.create --json`;
