import type { DeveloperOperationName, OperationName } from '@plat/contract';
import { canAsk, confirm } from '../command/confirm.ts';
import type { CommandContext } from '../command/context.ts';
import { isObject } from '../terminal/value.ts';
import { confirmationOf, questionOf } from './confirmations.ts';

interface Question<N extends string> {
  readonly operation: N;
  /** The operations of the same API; one of them may read the object. */
  readonly names: readonly N[];
  readonly path: readonly string[];
  /** True when `--yes` was given. */
  readonly yes: boolean;
  /** Reads the object by another operation with the same path parameters. */
  find(reader: N): PromiseLike<unknown>;
}

/**
 * Asks for confirmation of an operation that deletes or replaces something. The question names the object.
 * @throws {@link CliError} `CONFIRMATION_REQUIRED`
 */
export async function confirmOperation<N extends OperationName | DeveloperOperationName>(
  context: CommandContext,
  { operation, names, path, yes, find }: Question<N>,
): Promise<void> {
  const confirmation = confirmationOf(operation);
  if (!confirmation || yes) return;
  if (!canAsk(context)) {
    if (confirmation.asked !== 'terminal') await confirm(context, yes, questionOf(confirmation, path, null));
    return;
  }
  const reader = names.find((name) => name === `${operation.slice(0, operation.lastIndexOf('.'))}.get`);
  const object = reader === undefined ? null : await Promise.resolve(find(reader)).catch(isAbsent);
  // Without an existing object nothing is replaced.
  if (object === 'absent' && confirmation.asked === 'terminal') return;
  await confirm(context, yes, questionOf(confirmation, path, nameOf(object)));
}

/** The name of the object is optional: the question names an object that cannot be read by its id only. */
function isAbsent(error: unknown): 'absent' | null {
  return isObject(error) && error['status'] === 404 ? 'absent' : null;
}

/** Fields that name an object; the first one present is used. */
const NAMES = ['name', 'email', 'url', 'app_name', 'hint'] as const;

function nameOf(object: unknown): string | null {
  if (!isObject(object)) return null;
  const name = NAMES.map((field) => object[field]).find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name : null;
}
