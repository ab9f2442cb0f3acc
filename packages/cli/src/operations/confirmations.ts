import type { DeveloperOperationName, OperationName } from '@plat/contract';
import {
  type Confirmation,
  DEVELOPER_OPERATION_SCHEMAS,
  OPERATION_SCHEMAS,
  type OperationSchemas,
} from '@plat/contract/schemas';
import { toKebab } from '../command/kebab.ts';

const ALL: Readonly<Record<string, OperationSchemas>> = { ...DEVELOPER_OPERATION_SCHEMAS, ...OPERATION_SCHEMAS };

/** Returns the confirmation of an operation; null if it needs none. */
export function confirmationOf(operation: OperationName | DeveloperOperationName): Confirmation | null {
  return ALL[operation]?.confirmation ?? null;
}

/** Returns the question: the object by its name, when it is known, and its id; then the consequence. */
export function questionOf(
  { action, consequence }: Confirmation,
  path: readonly string[],
  name: string | null,
): string {
  const id = path.join(' ');
  const object = name === null ? id : `"${name}"${id === '' ? '' : ` (${id})`}`;
  return `${action}${object === '' ? '' : ` ${object}`}? ${asOptions(consequence)}`;
}

/** A text of the contract names fields, a command names options: `expires_in` becomes --expires-in. */
function asOptions(text: string): string {
  return text.replace(/`(\w+)`/g, (_, field: string) => `--${toKebab(field)}`);
}
