import { readInvitationWords } from '../accounts/invitations.ts';
import { findTenant, presentTenant } from '../accounts/tenants.ts';
import { overview } from './overview.ts';
import type { PageRoute } from './page-route.ts';
import { PLACES } from './places.ts';
import { tenantPage } from './tenant-pages.ts';

/** The home page of a tenant's users. */
export const tenantRoutes: readonly PageRoute<'admin'>[] = [
  {
    room: 'home',
    method: 'GET',
    path: PLACES.admin.home,
    async handle(call) {
      const { session, base, db } = call;
      const { tenantId, role } = session;
      const [state, tenant, { roleTitle }] = await Promise.all([
        overview(call),
        findTenant(db, tenantId, null),
        readInvitationWords(db, { tenant_id: tenantId, role }, null),
      ]);
      if (!tenant) throw new Error(`the tenant ${tenantId} of a signed-in user does not exist`);
      return { page: tenantPage({ session, base, state, tenant: presentTenant(tenant), roleTitle }) };
    },
  },
];
