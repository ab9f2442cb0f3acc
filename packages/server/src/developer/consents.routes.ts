import { listConsents, revokeConsent } from '../oauth/consents.service.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** Operations on the consents of the sandbox. */
export const consentRoutes: readonly DeveloperRoute[] = [
  developerRoute('consents.list', {
    handle: ({ db, tenantId, now }, { query }) => listConsents(db, tenantId, query, now),
  }),
  developerRoute('consents.revoke', {
    async handle(ctx, { path }) {
      const { id } = await revokeConsent(ctx, path.consent_id);
      return { object: 'consent', id, deleted: true };
    },
  }),
];
