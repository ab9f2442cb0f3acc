import type { DeveloperOperationName, DeveloperOperationTypes } from '@plat/contract';
import { DEVELOPER_OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { type Fields, fieldsOf } from '../command/field.ts';

/** Path parameter → its description. */
export const DEVELOPER_PARAMETERS: Readonly<Record<Parameter, string>> = {
  token_id: 'id of the login (dvt_…), or current',
  app_id: 'id of the app (app_…)',
  consent_id: 'id of the consent (gra_…)',
};

/** Returns the fields of the body of an operation. Lists have none: their commands print every page. */
export function developerFields(operation: DeveloperOperationName): Fields {
  const { body }: OperationSchemas = DEVELOPER_OPERATION_SCHEMAS[operation];
  return body === undefined ? [] : fieldsOf(SCHEMAS[body]);
}

type Parameter = {
  [N in DeveloperOperationName]: keyof DeveloperOperationTypes[N]['path'];
}[DeveloperOperationName];
