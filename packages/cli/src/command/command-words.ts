import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';

/** All operations, in the order of the contract. */
export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(isOperation);

/** Returns the command words of an operation: `webhooks endpoints rotate-secret`. */
export function commandWords(operation: OperationName): readonly string[] {
  const parts = operation.split('.');
  const family = parts.slice(0, -1).join('.');
  // A family with `get` as its only operation needs no verb: `plat me`.
  const isAlone = OPERATION_NAMES.filter((name) => name.startsWith(`${family}.`)).length === 1;
  return (isAlone && operation.endsWith('.get') ? parts.slice(0, -1) : parts).map(toKebab);
}

/** Returns the path parameters of an operation, in order. */
export function pathParameters(operation: OperationName): readonly string[] {
  return pathParametersOf(OPERATIONS[operation]);
}

/** Returns the path parameters of any path, in order. */
export function pathParametersOf({ path }: Pick<OperationInfo, 'path'>): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Converts snake_case to kebab-case. */
export function toKebab(name: string): string {
  return name.replaceAll('_', '-');
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}
