import type { DeveloperOperationName } from './developer-operations.ts';
import { OPERATIONS, type OperationInfo, type OperationName } from './operations.ts';

/** All operations of /v1, in the order of {@link OPERATIONS}. */
export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(isOperationName);

/** Returns true if the text is the name of an operation of /v1. */
export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

/** Returns the words of the `plat` command of an operation: `webhooks endpoints rotate-secret`. */
export function commandWords(operation: OperationName): readonly string[] {
  const parts = operation.split('.');
  const family = parts.slice(0, -1).join('.');
  // A family with `get` as its only operation needs no verb: `plat me`.
  const isAlone = OPERATION_NAMES.filter((name) => name.startsWith(`${family}.`)).length === 1;
  return (isAlone && operation.endsWith('.get') ? parts.slice(0, -1) : parts).map((part) => part.replaceAll('_', '-'));
}

/**
 * Returns the properties of a client of the SDK that lead to the method of an operation: `webhooks`, `endpoints`,
 * `rotateSecret`.
 */
export function methodWords(operation: OperationName | DeveloperOperationName): readonly string[] {
  return operation.split('.').map((part) => part.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** Returns the parameters in the path of an operation, in order. */
export function pathParametersOf({ path }: Pick<OperationInfo, 'path'>): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
