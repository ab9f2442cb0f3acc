import { Command } from 'commander';
import type { ContextOf } from '../command/described-command.ts';
import { OTHER_COMMANDS } from '../command/other-commands.ts';

/** `plat explain <name>`: explains a code, an event type or a scope. */
export function explainCommand(contextOf: ContextOf): Command {
  const command = new Command('explain')
    .summary(OTHER_COMMANDS.explain)
    .description(
      'Explain an error code or the error class of a delivery (cause and fix), an event type (causes) or a scope (operations).\nCodes are those of the API, of plat, of the SDK and of the verifiers. Nothing is sent. Upper and lower case are the same.',
    )
    .argument('<topic>', 'error code, error class, event type or scope')
    .addHelpText('after', EXAMPLES);
  return command.action(async (name: string) => {
    const { runExplain } = await import('./run-explain.ts');
    await runExplain(contextOf(command), name);
  });
}

const EXAMPLES = `
Examples:
  plat explain INSUFFICIENT_SCOPE
  plat explain GRANT_LOCKED
  plat explain client.created
  plat explain clients:write`;
