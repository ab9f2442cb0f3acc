import {
  DEVELOPER_OPERATIONS,
  type DeveloperOperationName,
  LIMITS,
  type List,
  type OperationInfo,
  pathParametersOf,
} from '@plat/contract';
import type { Platform } from '@plat/sdk';
import { connectDeveloper } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { requireSecretField } from '../command/shown-once.ts';
import { confirmOperation } from '../operations/confirm-operation.ts';
import { printList } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import type { JsonObject } from '../terminal/value.ts';
import { callDeveloper } from './call.ts';
import { DEVELOPER_OPERATION_NAMES } from './operations.ts';

/** One call of an operation of the developer API. */
export interface DeveloperInvocation {
  readonly operation: DeveloperOperationName;
  /** The path parameters, in order. */
  readonly args: readonly string[];
  readonly input: JsonObject;
  readonly yes: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Calls an operation with the login of this server, and prints its answer. */
export async function runDeveloper(context: CommandContext, invocation: DeveloperInvocation): Promise<void> {
  const { operation, args, input, yes, idempotencyKey } = invocation;
  requireSecretField(context, operation);
  const info: OperationInfo = DEVELOPER_OPERATIONS[operation];
  const { platform, connection } = await connectDeveloper(context);
  if (info.list) await printAll(context, platform, operation);
  else {
    const path = Object.fromEntries(pathParametersOf(info).map((name, i) => [name, args[i] ?? '']));
    await confirmOperation(context, {
      ...{ operation, names: DEVELOPER_OPERATION_NAMES, path: args, yes },
      find: (reader) => callDeveloper(platform, reader, { path }),
    });
    await printResult(context, await callDeveloper(platform, operation, { path, body: input, idempotencyKey }));
  }
  if (operation === 'me.get') await note(context, `Logged in to ${connection.baseUrl} (${connection.credentialFrom}).`);
  platform.close();
}

/** Prints all pages. A developer has few objects of each kind. */
async function printAll(context: CommandContext, platform: Platform, operation: DeveloperOperationName): Promise<void> {
  const data: JsonObject[] = [];
  const limit = LIMITS.page.max;
  let page: List<JsonObject>;
  do {
    const after = data.at(-1)?.['id'];
    const query = { limit, ...(typeof after === 'string' && { starting_after: after }) };
    page = (await callDeveloper(platform, operation, { query })) as unknown as List<JsonObject>;
    data.push(...page.data);
  } while (page.has_more && page.data.length > 0);
  await printList(context, { ...page, data });
}
