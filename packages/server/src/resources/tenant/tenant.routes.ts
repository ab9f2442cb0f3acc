import { type Route, route } from '../../http/route.ts';
import { getTenant, updateTenant } from './tenant.service.ts';

export const tenantRoutes: readonly Route[] = [
  route('tenant.get', { handle: (ctx) => getTenant(ctx) }),
  route('tenant.update', {
    handle: (ctx, { body }) => updateTenant(ctx, body),
  }),
];
