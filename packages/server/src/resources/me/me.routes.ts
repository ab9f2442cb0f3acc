import { type Route, route } from '../../http/route.ts';

export const meRoutes: readonly Route[] = [
  route('me.get', {
    async handle({ tenantId, credential }) {
      return { object: 'me', tenant_id: tenantId, credential_type: credential.type, scopes: credential.scopes };
    },
  }),
];
