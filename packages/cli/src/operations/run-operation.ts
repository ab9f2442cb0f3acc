import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { confirm } from '../confirm.ts';
import { connect } from '../connection/connect.ts';
import { type CommandContext, note } from '../context.ts';
import { tableListPrinter } from '../output/list.ts';
import { printResult } from '../output/result.ts';
import { itemsOf } from '../output/value.ts';
import { callOperation } from './call.ts';
import { needsConfirmation } from './confirmed.ts';
import { fieldsOf } from './fields.ts';
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
  const { method }: OperationInfo = OPERATIONS[operation];
  const platform = await connect(context, { changes: method !== 'GET' });
  // Asked after the key was looked at, so that nobody answers for a call that is refused anyway.
  if (needsConfirmation(operation)) await confirm(context, yes, `${context.command} ${path.join(' ')}`);
  const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
  const hasInput = fieldsOf(operation).length > 0;
  const answer = await callOperation(platform, operation, [...path, ...(hasInput ? [input] : []), ...options]);
  const items = context.flags.json ? null : itemsOf(answer);
  if (items) {
    const printer = tableListPrinter(context);
    await printer.rows(items);
    await printer.end();
  } else await printResult(context, answer);
  const next = nextStep(operation, input, answer);
  if (next !== null) await note(context, next);
  platform.close();
}
