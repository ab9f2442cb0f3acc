import { findTenantKey } from '../accounts/api-keys.ts';
import { findTenant } from '../accounts/tenants.ts';
import { resetTenant } from '../sandbox/reset.ts';
import { overview } from './overview.ts';
import type { PageRoute } from './page-route.ts';
import { PLACES } from './places.ts';
import { homePage, RESET_PATH, resetPage } from './sandbox-pages.ts';

/** The developers' home page, and the reset of their sandbox. */
export const sandboxRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'home',
    method: 'GET',
    path: PLACES.developer.home,
    async handle(call) {
      const { session, base, baseUrl, db, now, query } = call;
      const [state, key, tenant] = await Promise.all([
        overview(call),
        findTenantKey(db, session.tenantId, now),
        findTenant(db, session.tenantId, null),
      ]);
      const isSuspended = tenant?.status === 'suspended';
      return { page: homePage({ session, base, baseUrl, state, key, isSuspended, done: query['done'] }) };
    },
  },
  {
    room: 'reset',
    method: 'GET',
    path: RESET_PATH,
    async handle({ session, base }) {
      return { page: resetPage({ session, base }) };
    },
  },
  {
    room: 'reset',
    method: 'POST',
    path: RESET_PATH,
    async handle({ change }) {
      await change(resetTenant);
      return { goTo: `${PLACES.developer.home}?done=reset` };
    },
  },
];
