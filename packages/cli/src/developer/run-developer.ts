import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  type OperationInfo,
  pathParametersOf,
} from '@plat/contract';
import { connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { requireSecretField } from '../command/shown-once.ts';
import { confirmOperation } from '../operations/confirm-operation.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';
import { callDeveloper } from './call.ts';
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
  const info: OperationInfo = DEVELOPER_OPERATIONS[operation];
  const { platform, connection } = await connectDeveloper(context);
  const path = Object.fromEntries(pathParametersOf(info).map((name, i) => [name, args[i] ?? '']));
  if (info.list) await runDeveloperList(context, platform, { operation, path, query: input, limit, all });
  else {
    await confirmOperation(context, {
      ...{ operation, names: DEVELOPER_OPERATION_NAMES, path: args, yes },
      find: (reader) => callDeveloper(platform, reader, { path }),
    });
    await printResult(context, await callDeveloper(platform, operation, { path, body: input, idempotencyKey }));
  }
  if (operation === 'me.get') await note(context, `Logged in to ${connection.baseUrl} (${connection.credentialFrom}).`);
  platform.close();
}
