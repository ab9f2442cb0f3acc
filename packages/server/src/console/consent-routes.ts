import type { SessionKind } from '../accounts/session-cookie.ts';
import { readEmails } from '../accounts/users.ts';
import { getConsent, listConsents, revokeConsent } from '../oauth/consents.service.ts';
import { type ConsentWords, consentsPage, revokeConsentPage } from './consent-pages.ts';
import type { PageRoute } from './page-route.ts';

/** Pages of the apps with access to the developer's sandbox. */
export const sandboxConsentRoutes = consentRoutes<'developer'>('/console/consents', {
  title: 'Consents',
  lead: 'OAuth apps that may act for your sandbox: your own and those of other developers.',
  none: 'No app has access to your sandbox.',
});

/** Pages of the apps with access to a tenant, for its owners. */
export const tenantConsentRoutes = consentRoutes<'admin'>('/consents', {
  title: 'Apps with access',
  lead: 'OAuth apps with access to the tenant. Owners can revoke each at any time.',
  none: 'No app has access to the tenant.',
});

const PAGE = 20;

function consentRoutes<Kind extends SessionKind>(here: string, words: ConsentWords): readonly PageRoute<Kind>[] {
  return [
    {
      room: 'consents',
      method: 'GET',
      path: here,
      async handle({ session, base, db, now, query }) {
        const { starting_after: after, ending_before: before, done } = query;
        const cursor = {
          ...(after === undefined ? {} : { starting_after: after }),
          ...(before === undefined ? {} : { ending_before: before }),
        };
        const { data: consents, hasMore } = await listConsents(db, session.tenantId, { limit: PAGE, ...cursor }, now);
        const givers = [...new Set(consents.map(({ granted_by }) => granted_by))];
        const emails = await readEmails(db, session.tenantId, givers);
        const [newer, older] = before === undefined ? [after !== undefined, hasMore] : [hasMore, true];
        const isEmpty = consents.length === 0;
        const around = { newer: newer && !isEmpty, older: older && !isEmpty };
        return { page: consentsPage({ own: base + here, here, words, consents, emails, ...around, done }) };
      },
    },
    {
      room: 'consents',
      method: 'GET',
      path: `${here}/:id/revoke`,
      async handle({ session, base, db, now, id }) {
        const consent = await getConsent(db, session.tenantId, id, now);
        return { page: revokeConsentPage({ session, own: base + here, here, words, consent }) };
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
