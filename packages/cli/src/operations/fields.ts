import { OPERATIONS, type OperationName } from '@plat/contract';
import { OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { type Fields, fieldsOf } from '../command/field.ts';

/**
 * Returns the fields of the body or query of an operation. Cursors come last. The `limit` of a list is
 * absent, since the `--limit` of its command may span several pages.
 */
export function operationFields(operation: OperationName): Fields {
  const { body, query }: OperationSchemas = OPERATION_SCHEMAS[operation];
  const schema = body ?? query;
  if (schema === undefined) return [];
  const fields = fieldsOf(SCHEMAS[schema]).filter(([name]) => !OPERATIONS[operation].list || name !== 'limit');
  return [...fields.filter(([name]) => !isCursor(name)), ...fields.filter(([name]) => isCursor(name))];
}

/** Returns the details of an operation in Markdown; undefined if it has none. */
export function detailsOf(operation: OperationName): string | undefined {
  const { details }: OperationSchemas = OPERATION_SCHEMAS[operation];
  return details;
}

function isCursor(name: string): boolean {
  return name === 'starting_after' || name === 'ending_before';
}
