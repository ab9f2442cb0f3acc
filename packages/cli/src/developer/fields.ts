import type { DeveloperOperationName } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { type Fields, fieldsOf } from '../command/field.ts';

/** Returns the fields of the body of an operation. Lists have none: their commands print every page. */
export function developerFields(operation: DeveloperOperationName): Fields {
  const { body }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[operation];
  return body === undefined ? [] : fieldsOf(SCHEMAS[body]);
}
