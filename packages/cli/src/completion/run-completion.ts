import type { Command } from 'commander';
import { type CommandContext, print } from '../command/context.ts';
import { commandTree } from '../reference/tree.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './shells.ts';
import { wordListsOf } from './word-lists.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

/** Prints the script of a shell. */
export function runCompletion(context: CommandContext, root: Command, shell: Shell): Promise<void> {
  return print(context, SCRIPTS[shell](wordListsOf(commandTree(root))));
}
