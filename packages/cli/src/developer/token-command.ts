import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';

/** `plat auth token` */
export function tokenCommand(contextOf: ContextOf): Command {
  const command = new Command('token')
    .summary('Print the token of the current login')
    .description(
      'Print the token of the current login, for a program that calls the developer API. Nothing is sent.\nThe token gives access to keys, apps, consents and the sandbox. It ends with plat logout.',
    )
    .addHelpText('after', EXAMPLES);
  return command.action(async () => {
    const { runToken } = await import('./run-token.ts');
    await runToken(contextOf(command));
  });
}

const EXAMPLES = `
Examples:
  PLAT_DEVELOPER_TOKEN=$(plat auth token) node script.js
  plat auth token --json --fields base_url,token

Needs plat login.`;
