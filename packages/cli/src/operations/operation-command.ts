import {
  commandWords,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  type WebhookReplayCreateParams,
} from '@plat/contract';
import type { Command } from 'commander';
import { addListOptions, type ContextOf, describedCommand, optionOf } from '../command/described-command.ts';
import { readInput } from '../command/input.ts';
import { confirmationOf } from './confirmations.ts';
import { detailsOf, operationFields } from './fields.ts';

/** Creates the command of an operation of /v1. */
export function operationCommand(operation: OperationName, contextOf: ContextOf): Command {
  const info: OperationInfo = OPERATIONS[operation];
  const fields = operationFields(operation);
  const command = describedCommand({
    name: commandWords(operation).at(-1) ?? '',
    info,
    fields,
    details: detailsOf(operation),
    confirms: confirmationOf(operation) !== null,
  });
  if (info.list) addListOptions(command);
  if (operation === 'webhooks.replays.create') {
    command.option('--wait', 'wait until everything is scheduled; a terminal shows the progress');
  }
  if (operation === 'trace.get') command.addHelpText('after', TRACE_HELP);
  if (info.scope !== null) command.addHelpText('after', `\nScope: ${info.scope}`);

  // The code that runs a command is loaded lazily: help does not need it.
  return command.action(async () => {
    const option = (name: string) => optionOf(command, name);
    const input = readInput(operation, fields, option);
    const context = contextOf(command);
    const path = command.args;
    if (info.list) {
      const given = option('limit');
      const limit = typeof given === 'number' ? given : undefined;
      const all = option('all') === true;
      const { runList } = await import('./run-list.ts');
      await runList(context, { operation, path, query: input, limit, all });
    } else {
      const key = option('idempotency_key');
      const idempotencyKey = typeof key === 'string' ? key : undefined;
      if (operation === 'webhooks.replays.create') {
        const { runReplay } = await import('../replays/run-replay.ts');
        // The input was read by the schema of this type.
        const replay = input as unknown as WebhookReplayCreateParams;
        return runReplay(context, { input: replay, wait: option('wait') === true, idempotencyKey });
      }
      if (operation === 'trace.get') {
        const { runTrace } = await import('../trace/run-trace.ts');
        return runTrace(context, path[0] ?? '', input);
      }
      const { runOperation } = await import('./run-operation.ts');
      await runOperation(context, { operation, path, input, yes: option('yes') === true, idempotencyKey });
    }
  });
}

const TRACE_HELP = `
The newest cause is first; what it caused follows in the order of time. Failures are above, with cause and fix.

Scopes: audit:read for requests, changes and grants; webhooks:read for events, attempts and replays

Examples:
  plat trace del_…
  plat trace ada@example.com
  plat trace evt_… --json`;
