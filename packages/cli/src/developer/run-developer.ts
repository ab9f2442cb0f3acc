import { DEVELOPER_OPERATIONS, type DeveloperOperationName } from '@plat/contract';
import { connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { requireSecretField } from '../command/shown-once.ts';
import { callOperation } from '../operations/call.ts';
import { confirmOperation } from '../operations/confirm-operation.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';
import { developerFields } from './fields.ts';
import { DEVELOPER_OPERATION_NAMES } from './operations.ts';
import { runDeveloperList } from './run-developer-list.ts';

/** One call of an operation of the developer API. */
export interface DeveloperInvocation {
  readonly operation: DeveloperOperationName;
  /** The path parameters, in order. */
  readonly args: readonly string[];
  readonly input: JsonObject;
  readonly yes: boolean;
  /** Of a list. */
  readonly limit: number | undefined;
  readonly all: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Calls an operation with the login of this server, and prints its answer. */
export async function runDeveloper(context: CommandContext, invocation: DeveloperInvocation): Promise<void> {
  const { operation, args, input, yes, limit, all, idempotencyKey } = invocation;
  requireSecretField(context, operation);
  const { developer, connection } = await connectDeveloper(context);
  if (DEVELOPER_OPERATIONS[operation].list) {
    await runDeveloperList(context, developer, { operation, path: args, query: input, limit, all });
  } else {
    await confirmOperation(context, {
      ...{ operation, names: DEVELOPER_OPERATION_NAMES, path: args, yes },
      find: (reader) => callOperation(developer, reader, args),
    });
    const hasInput = developerFields(operation).length > 0;
    const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
    const answer = await callOperation(developer, operation, [...args, ...(hasInput ? [input] : []), ...options]);
    await printResult(context, answer);
  }
  if (operation === 'me.get') await note(context, `Logged in to ${connection.baseUrl} (${connection.credentialFrom}).`);
  developer.close();
}
