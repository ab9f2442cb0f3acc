import type { ListParams, OperationName, OperationTypes } from '@plat/contract';
import { type AnyField, type Fields, text } from '../command/field.ts';
import { AUDIT_FIELDS } from './fields/audit.ts';
import { BILLING_FIELDS } from './fields/billing.ts';
import { CLIENT_FIELDS } from './fields/clients.ts';
import type { AllFields } from './fields/family-fields.ts';
import { GROUP_FIELDS } from './fields/groups.ts';
import { LOCATION_FIELDS } from './fields/locations.ts';
import { REQUEST_FIELDS } from './fields/requests.ts';
import { ROLE_FIELDS } from './fields/roles.ts';
import { TENANT_FIELDS } from './fields/tenant.ts';
import { USER_FIELDS } from './fields/users.ts';
import { WEBHOOK_FIELDS } from './fields/webhooks.ts';

/** Operation → the fields of its query or body. The compiler asks for every field of every operation. */
const FIELDS: AllFields = {
  ...CLIENT_FIELDS,
  ...LOCATION_FIELDS,
  ...GROUP_FIELDS,
  ...USER_FIELDS,
  ...TENANT_FIELDS,
  ...ROLE_FIELDS,
  ...AUDIT_FIELDS,
  ...REQUEST_FIELDS,
  ...BILLING_FIELDS,
  ...WEBHOOK_FIELDS,
};

/** What every list takes beside its filters; `limit` is the commands' own, as it reaches beyond one page. */
export const CURSOR_FIELDS: Fields<Omit<ListParams, 'limit'>> = {
  starting_after: text('the page behind this id (of the last item of the page before)', 'id'),
  ending_before: text('the page before this id (of the first item of the page after)', 'id'),
};

/** Path parameter → what it is. */
export const PATH_PARAMETERS: Readonly<Record<PathParameter, string>> = {
  client_id: 'id of the client (cli_…)',
  group_id: 'id of the group (grp_…)',
  user_id: 'id of the user (usr_…)',
  location_id: 'id of the location (loc_…)',
  role_id: 'id of the role (rol_…)',
  audit_event_id: 'id of the audit event (aud_…)',
  request_id: 'id of the request (req_…), as errors and the header X-Request-Id have it',
  invoice_id: 'id of the invoice (inv_…)',
  endpoint_id: 'id of the webhook endpoint (whe_…)',
  event_id: 'id of the event (evt_…)',
  delivery_id: 'id of the delivery attempt (del_…)',
  replay_id: 'id of the replay (rpl_…)',
};

/** The fields of an operation with their names, in the order of the table. */
export function fieldsOf(operation: OperationName): readonly (readonly [name: string, field: AnyField])[] {
  const all: { readonly [N in OperationName]?: Readonly<Record<string, AnyField>> } = FIELDS;
  return Object.entries(all[operation] ?? {});
}

type PathParameter = { [N in OperationName]: keyof OperationTypes[N]['path'] }[OperationName];
