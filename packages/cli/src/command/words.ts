import { OPERATIONS, type OperationInfo, type OperationName } from '@plat/contract';

/** All operations, in the order of the contract. */
export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(isOperation);

/** The words that call an operation: `webhooks endpoints rotate-secret`. */
export function commandWords(operation: OperationName): readonly string[] {
  const parts = operation.split('.');
  const family = parts.slice(0, -1).join('.');
  // A family that can only be looked at needs no verb: `plat me`.
  const isAlone = OPERATION_NAMES.filter((name) => name.startsWith(`${family}.`)).length === 1;
  return (isAlone && operation.endsWith('.get') ? parts.slice(0, -1) : parts).map(toKebab);
}

/** The path parameters of an operation, in their order. */
export function pathParameters(operation: OperationName): readonly string[] {
  return pathParametersOf(OPERATIONS[operation]);
}

/** The same for an operation of any table. */
export function pathParametersOf({ path }: Pick<OperationInfo, 'path'>): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** `rotate_secret` as words on a command line are written. */
export function toKebab(name: string): string {
  return name.replaceAll('_', '-');
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}
