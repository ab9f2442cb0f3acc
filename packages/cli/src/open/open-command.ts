import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';

/** `plat open [what]`: opens a page of the selected server. */
export function openCommand(contextOf: ContextOf): Command {
  const command = new Command('open')
    .summary(OTHER_COMMANDS.open)
    .description('Print the address of a page, and open it in the browser on an interactive terminal.')
    .argument('[what]', 'console, docs, or the id of an app, key, consent or login; console when absent')
    .option('--no-browser', 'only print the address')
    .addHelpText('after', EXAMPLES);
  return command.action(async (what = 'console') => {
    const { runOpen } = await import('./run-open.ts');
    await runOpen(contextOf(command), what, command.opts()['browser'] === true);
  });
}

const EXAMPLES = `
Examples:
  plat open docs
  plat open app_…`;
