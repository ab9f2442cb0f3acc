import { TENANT_STATUSES, type Tenant, type TenantUpdateParams } from '@plat/contract';
import { boolean, describe, id, name, nullable, object, oneOf, optional, timestamp } from '../../http/rules.ts';

const tenantName = describe(name(), 'What people call the tenant.', 'Harbour Retail');

export const tenant = describe(
  object<Tenant>('Tenant', {
    object: oneOf(['tenant']),
    id: id('tenant'),
    name: tenantName,
    status: describe(oneOf(TENANT_STATUSES), 'Access is frozen while it is `suspended`.'),
    plan_id: describe(nullable(id('plan')), 'The plan that the tenant is on.'),
    sandbox: describe(boolean(), 'Whether a developer owns it, for trying things out.'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'The tenant that a credential belongs to.',
);

export const tenantUpdate = describe(
  object<TenantUpdateParams>('TenantUpdate', { name: optional(tenantName) }),
  'The fields to change; those that are absent stay as they are.',
);
