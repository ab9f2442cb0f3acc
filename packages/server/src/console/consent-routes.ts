import type { ListParams } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { readEmails } from '../accounts/users.ts';
import { getConsent, listConsents, revokeConsent } from '../oauth/consents.service.ts';
import { type ConsentWords, consentPage, consentsPage, revokeConsentPage } from './consent-pages.ts';
import { lastUse } from './last-use.ts';
import type { PageRoute } from './page-route.ts';
import { listParams } from './parts/list.ts';

/** Pages of the apps with access to the developer's sandbox. */
export const sandboxConsentRoutes = consentRoutes<'developer'>({
  here: '/console/consents',
  title: 'Consents',
  lead: 'OAuth apps that may act for your sandbox: your own and those of other developers.',
  none: 'No app has access to your sandbox',
});

/** Pages of the apps with access to a tenant, for its owners. */
export const tenantConsentRoutes = consentRoutes<'admin'>({
  here: '/consents',
  title: 'Apps with access',
  lead: 'OAuth apps with access to the tenant. Owners can revoke each at any time.',
  none: 'No app has access to the tenant',
});

function consentRoutes<Kind extends SessionKind>(words: ConsentWords): readonly PageRoute<Kind>[] {
  const { here } = words;
  return [
    {
      room: 'consents',
      method: 'GET',
      path: here,
      async handle(call) {
        const { session, db, now } = call;
        const params = listParams<ListParams>(SCHEMAS.ListParams, call, []);
        const list = await listConsents(db, session.tenantId, params, now);
        const givers = [...new Set(list.data.map(({ granted_by }) => granted_by))];
        return { page: consentsPage(call, words, list, await readEmails(db, session.tenantId, givers)) };
      },
    },
    {
      room: 'consents',
      method: 'GET',
      path: `${here}/:id`,
      async handle(call) {
        const { session, db, now, id } = call;
        const consent = await getConsent(db, session.tenantId, id, now);
        const emails = await readEmails(db, session.tenantId, [consent.granted_by]);
        return { page: consentPage(call, words, { consent, emails, lastUse: await lastUse(call, id) }) };
      },
    },
    {
      room: 'consents',
      method: 'GET',
      path: `${here}/:id/revoke`,
      async handle(call) {
        const { session, db, now, id } = call;
        return { page: revokeConsentPage(call, words, await getConsent(db, session.tenantId, id, now)) };
      },
    },
    {
      room: 'consents',
      method: 'POST',
      path: `${here}/:id/revoke`,
      async handle({ id, change }) {
        await change((open) => revokeConsent(open, id));
        return { goTo: `${here}?done=revoked` };
      },
    },
  ];
}
