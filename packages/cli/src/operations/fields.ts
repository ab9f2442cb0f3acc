import { OPERATIONS, type OperationName, type OperationTypes } from '@plat/contract';
import { OPERATION_SCHEMAS, type OperationSchemas, SCHEMAS } from '@plat/contract/schemas';
import { type Fields, fieldsOf } from '../command/field.ts';

/** Path parameter → its description. */
export const PATH_PARAMETERS: Readonly<Record<PathParameter, string>> = {
  client_id: 'id of the client (cli_…)',
  group_id: 'id of the group (grp_…)',
  user_id: 'id of the user (usr_…)',
  location_id: 'id of the location (loc_…)',
  role_id: 'id of the role (rol_…)',
  audit_event_id: 'id of the audit event (aud_…)',
  request_id: 'id of the request (req_…), as in errors and the header X-Request-Id',
  invoice_id: 'id of the invoice (inv_…)',
  endpoint_id: 'id of the webhook endpoint (whe_…)',
  event_id: 'id of the event (evt_…)',
  delivery_id: 'id of the delivery attempt (del_…)',
  replay_id: 'id of the replay (rpl_…)',
  id: 'id of any kind, e-mail address of a user, or slug of a client or group',
};

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

function isCursor(name: string): boolean {
  return name === 'starting_after' || name === 'ending_before';
}

type PathParameter = { [N in OperationName]: keyof OperationTypes[N]['path'] }[OperationName];
