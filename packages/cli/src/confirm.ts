import { createInterface } from 'node:readline';
import { CliError } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { printable } from './output/printable.ts';

/**
 * Asks before something is gone for good. Without a terminal nobody can answer, and no answer is never a yes.
 * @throws {@link CliError} `CONFIRMATION_REQUIRED`
 */
export async function confirm(context: CommandContext, yes: boolean, what: string): Promise<void> {
  const { io, command } = context;
  if (yes) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new CliError('CONFIRMATION_REQUIRED', `${what} needs a confirmation, and there is no terminal to ask at`, {
      next: `If that is meant, add --yes: ${command} … --yes`,
    });
  }
  const answer = await ask(context, `${printable(what)}? [y/N] `);
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
      // The end of input, Ctrl-C too, is a no; what follows gets a line of its own.
      io.stderr.write('\n');
      resolve('');
    });
  });
}
