import { TENANT_STATUSES } from '../objects/tenant.ts';
import { answer, changes, nullable, times } from './objects.ts';
import type { Operations } from './operations.ts';
import { id, name } from './texts.ts';
import { always, boolean, oneOf } from './values.ts';

const fields = { name: name('Name of the tenant.', 'Harbour Retail') };

export const tenant = answer('Tenant', 'The tenant that a credential belongs to.', {
  object: always('tenant'),
  id: id('tenant'),
  ...fields,
  status: oneOf('TenantStatus', TENANT_STATUSES, 'Status of the tenant. Access is frozen while it is `suspended`.'),
  plan_id: nullable(id('plan', 'Id of the plan of the tenant; null if it has none.')),
  sandbox: boolean('True if the tenant is the sandbox of a developer.'),
  ...times,
});

export const tenantUpdate = changes('TenantUpdateParams', fields);

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'tenant.suspended': tenant,
  'tenant.reactivated': tenant,
} as const;

export const operations = {
  'tenant.get': {
    answer: 'Tenant',
  },
  'tenant.update': {
    body: 'TenantUpdateParams',
    answer: 'Tenant',
  },
} as const satisfies Operations;
