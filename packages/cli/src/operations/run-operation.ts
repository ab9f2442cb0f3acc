import { OPERATION_NAMES, OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { connect } from '../command/connect.ts';
import { type CommandContext, note } from '../command/context.ts';
import { requireSecretField } from '../command/shown-once.ts';
import { printList } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import { itemsOf } from '../terminal/value.ts';
import { callOperation } from './call.ts';
import { confirmOperation } from './confirm-operation.ts';
import { operationFields } from './fields.ts';
import { nextStep } from './next-step.ts';

/** One call of an operation whose answer is not paged. */
export interface Invocation {
  readonly operation: OperationName;
  readonly path: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly yes: boolean;
  readonly idempotencyKey: string | undefined;
}

/** Calls an operation and prints its answer. */
export async function runOperation(context: CommandContext, invocation: Invocation): Promise<void> {
  const { operation, path, input, yes, idempotencyKey } = invocation;
  requireSecretField(context, operation);
  const { method }: OperationInfo = OPERATIONS[operation];
  const platform = await connect(context, { changes: method !== 'GET' });
  // After the check of the key, so that no confirmation is asked for a call that is refused.
  await confirmOperation(context, {
    ...{ operation, names: OPERATION_NAMES, path, yes },
    find: (reader) => callOperation(platform, reader, path),
  });
  const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
  const hasInput = operationFields(operation).length > 0;
  const answer = await callOperation(platform, operation, [...path, ...(hasInput ? [input] : []), ...options]);
  const items = context.flags.json ? null : itemsOf(answer);
  if (items) await printList(context, { object: 'list', data: items, has_more: false });
  else await printResult(context, answer);
  const next = nextStep(operation, input, answer);
  if (next !== null) await note(context, next);
  platform.close();
}
