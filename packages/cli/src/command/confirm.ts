import { createInterface } from 'node:readline';
import { CliError } from '../errors/cli-error.ts';
import { printable } from '../terminal/printable.ts';
import { repeatCommand } from './command-line.ts';
import type { CommandContext } from './context.ts';

/** Returns whether stdin and stderr are terminals, so that a user can answer a question. */
export function canAsk({ io }: CommandContext): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/**
 * Asks for confirmation before an action that cannot be undone. Without a terminal the answer is no.
 * @param yes true when `--yes` was given: nothing is asked
 * @throws {@link CliError} `CONFIRMATION_REQUIRED`
 */
export async function confirm(context: CommandContext, yes: boolean, question: string): Promise<void> {
  if (yes) return;
  if (!canAsk(context)) {
    throw new CliError('CONFIRMATION_REQUIRED', `${question} This needs a confirmation, but there is no terminal`, {
      next: `To confirm: ${repeatCommand(context, '--yes')}`,
    });
  }
  const answer = await ask(context, `${printable(question)} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new CliError('CONFIRMATION_REQUIRED', 'Not confirmed; nothing was done', {
      next: 'Answer y, or add --yes.',
    });
  }
}

function ask({ io }: CommandContext, question: string): Promise<string> {
  const terminal = createInterface({ input: io.stdin, output: io.stderr });
  return new Promise((resolve) => {
    let answered = false;
    terminal.question(question, (answer) => {
      answered = true;
      terminal.close();
      resolve(answer);
    });
    terminal.on('SIGINT', () => terminal.close());
    terminal.on('close', () => {
      if (answered) return;
      // End of input or Ctrl-C counts as no. The newline ends the line of the question.
      io.stderr.write('\n');
      resolve('');
    });
  });
}
