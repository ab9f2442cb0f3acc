import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  developerCommandWords,
  type OperationInfo,
} from '@plat/contract';
import type { Command } from 'commander';
import { addListOptions, type ContextOf, describedCommand, optionOf } from '../command/described-command.ts';
import { readInput } from '../command/input.ts';
import { confirmationOf } from '../operations/confirmations.ts';
import { developerFields, hasFilters } from './fields.ts';

/** Creates the command of an operation of the developer API. */
export function developerCommand(operation: DeveloperOperationName, contextOf: ContextOf): Command {
  const info: OperationInfo = DEVELOPER_OPERATIONS[operation];
  const fields = developerFields(operation);
  const command = describedCommand({
    name: developerCommandWords(operation).at(-1) ?? '',
    info,
    fields,
    confirms: confirmationOf(operation) !== null,
  });
  if (operation === 'keys.mint') {
    command.option('--save', 'save the key for the other commands instead of printing it');
  }
  if (info.list && hasFilters(operation)) addListOptions(command);
  command.addHelpText('after', '\nNeeds plat login.');

  return command.action(async () => {
    const option = (name: string) => optionOf(command, name);
    const input = readInput(operation, fields, option);
    const key = option('idempotency_key');
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const context = contextOf(command);
    const yes = option('yes') === true;
    if (operation === 'keys.mint') {
      const { runMint } = await import('./run-mint.ts');
      await runMint(context, { input, save: option('save') === true, yes, idempotencyKey });
    } else if (operation === 'launch_tokens.mint') {
      const { runMintLaunchToken } = await import('./run-mint-launch-token.ts');
      await runMintLaunchToken(context, { input, idempotencyKey });
    } else if (operation === 'apps.trace.get') {
      const [app = '', id = ''] = command.args;
      const { runAppTrace } = await import('./run-app-trace.ts');
      await runAppTrace(context, { app, id, query: input });
    } else {
      const { runDeveloper } = await import('./run-developer.ts');
      const limit = option('limit');
      await runDeveloper(context, {
        ...{ operation, args: command.args, input, yes, idempotencyKey },
        limit: typeof limit === 'number' ? limit : undefined,
        all: option('all') === true,
      });
    }
  });
}
