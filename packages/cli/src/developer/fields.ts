import { DEVELOPER_OPERATIONS, type DeveloperOperationName } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { type Fields, fieldsOf } from '../command/field.ts';

/**
 * Returns the fields of the body or query of an operation. Lists without filters have none: their commands print every
 * page. The `limit` of a list is absent, since the `--limit` of its command may span several pages.
 */
export function developerFields(operation: DeveloperOperationName): Fields {
  const { body, query }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[operation];
  const schema = body ?? (hasFilters(operation) ? query : undefined);
  if (schema === undefined) return [];
  return fieldsOf(SCHEMAS[schema]).filter(([name]) => !DEVELOPER_OPERATIONS[operation].list || name !== 'limit');
}

/** Returns true for a list that can be long. Its command prints one page, unless more are requested. */
export function hasFilters(operation: DeveloperOperationName): boolean {
  const { query }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[operation];
  return query !== undefined && query !== 'ListParams';
}
