import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';

/** `plat commands`: prints the command tree, as data or as pages. */
export function commandsCommand(contextOf: ContextOf): Command {
  const command = new Command('commands')
    .summary(OTHER_COMMANDS.commands)
    .description(
      'List every command, or those of one group. With --json it is the whole tree: descriptions, arguments, options with their values, and the operation and scope of each.',
    )
    .argument('[group]', 'first word of the commands: webhooks')
    .option('--markdown', 'print the page of the group in the reference; without a group, its first page');
  return command.action(async (group: string | undefined) => {
    const { runCommands } = await import('./run-commands.ts');
    await runCommands(contextOf(command), rootOf(command), { group, markdown: command.opts()['markdown'] === true });
  });
}

/** `plat version`: prints the versions for a bug report. */
export function versionCommand(contextOf: ContextOf): Command {
  const command = new Command('version')
    .summary(OTHER_COMMANDS.version)
    .description('Show the versions of plat, Node.js and the system. Nothing is sent.');
  return command.action(async () => {
    const { printVersion } = await import('./print-version.ts');
    await printVersion(contextOf(command));
  });
}

/** Returns the root command. */
export function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
