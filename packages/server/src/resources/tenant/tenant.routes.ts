import { type Route, route } from '../../http/route.ts';
import { tenant, tenantUpdate } from './tenant.schemas.ts';
import { getTenant, updateTenant } from './tenant.service.ts';

export const tenantRoutes: readonly Route[] = [
  route('tenant.get', { response: tenant, handle: (ctx) => getTenant(ctx) }),
  route('tenant.update', {
    body: tenantUpdate,
    response: tenant,
    handle: (ctx, { body }) => updateTenant(ctx, body),
  }),
];
