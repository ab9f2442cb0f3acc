import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';
import { confirm } from '../confirm.ts';
import { connect } from '../connection/connect.ts';
import type { CommandContext } from '../context.ts';
import { printResult } from '../output/result.ts';
import { callOperation } from './call.ts';

/** One call of an operation that is no list. */
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
  if (method === 'DELETE') await confirm(context, yes, `${context.command} ${path.join(' ')}`);
  const options = idempotencyKey === undefined ? [] : [{ idempotencyKey }];
  const hasInput = method === 'POST' || method === 'PATCH';
  const answer = await callOperation(platform, operation, [...path, ...(hasInput ? [input] : []), ...options]);
  await printResult(context, answer);
  platform.close();
}
