import { Argument, Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';
import { rootOf } from '../reference/reference-commands.ts';
import { isShell, SHELLS } from './shells.ts';

/** `plat completion <shell>` */
export function completionCommand(contextOf: ContextOf): Command {
  const command = new Command('completion')
    .summary(OTHER_COMMANDS.completion)
    .description(
      'Print a script that completes commands, options and their values in your shell. The script is static: completion starts no program and sends no request.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLES);
  return command.action(async (shell: unknown) => {
    const { runCompletion } = await import('./run-completion.ts');
    if (isShell(shell)) await runCompletion(contextOf(command), rootOf(command), shell);
  });
}

const EXAMPLES = `
Examples:
  plat completion bash > ~/.local/share/bash-completion/completions/plat
  plat completion zsh > "\${fpath[1]}/_plat"
  plat completion fish > ~/.config/fish/completions/plat.fish
  plat completion powershell >> $PROFILE`;
