import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { readEmails } from '../accounts/users.ts';
import { ApiError } from '../kernel/api-error.ts';
import { getConsent, listConsents, revokeConsent } from '../oauth/consents.service.ts';
import { type ConsentWords, consentsPage, revokeConsentPage } from './consent-pages.ts';
import type { PageRoute } from './page-route.ts';

/** The apps that have access to the developer's sandbox. */
export const sandboxConsentRoutes = consentRoutes<'developer'>('/console/consents', {
  title: 'Consents',
  lead: 'OAuth apps that may act for your sandbox: yours, and those of others that you have tried.',
  none: 'No app has access to your sandbox.',
});

/** The apps that have access to a tenant, for its owners. */
export const tenantConsentRoutes = consentRoutes<'admin'>('/consents', {
  title: 'Apps with access',
  lead: 'OAuth apps that an owner has given access to the tenant. Each can be revoked at any time.',
  none: 'No app has access to the tenant.',
});

const PAGE = 20;

function consentRoutes<Kind extends SessionKind>(here: string, words: ConsentWords): readonly PageRoute<Kind>[] {
  return [
    {
      method: 'GET',
      path: here,
      async handle({ session, base, db, now, query }) {
        refuseOthers(session);
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
      method: 'GET',
      path: `${here}/:id/revoke`,
      async handle({ session, base, db, now, id }) {
        refuseOthers(session);
        const consent = await getConsent(db, session.tenantId, id, now);
        return { page: revokeConsentPage({ session, own: base + here, here, words, consent }) };
      },
    },
    {
      method: 'POST',
      path: `${here}/:id/revoke`,
      async handle({ session, id, change }) {
        refuseOthers(session);
        await change((open) => revokeConsent(open, id));
        return { goTo: `${here}?done=revoked` };
      },
    },
  ];
}

/** Who may not give consent may not take it back either. */
function refuseOthers(session: AdminSession | DeveloperSession): void {
  if (session.kind === 'developer' || session.role === 'owner') return;
  throw new ApiError('FORBIDDEN', 'Only owners of the tenant see which apps have access to it, and revoke it');
}
