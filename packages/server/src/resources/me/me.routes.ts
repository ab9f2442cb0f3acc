import type { Me } from '@plat/contract';
import { ALL_SCOPES } from '@plat/contract';
import { type Route, route } from '../../http/route.ts';
import { array, describe, id, object, oneOf } from '../../http/rules.ts';

const me = describe(
  object<Me>('Me', {
    object: oneOf(['me']),
    tenant_id: describe(id('tenant'), 'The tenant of the credential.'),
    credential_type: describe(oneOf(['api_key', 'oauth_token']), 'What opened this call.'),
    scopes: describe(array(oneOf(ALL_SCOPES)), 'The scopes granted to the credential.', ['clients:read']),
  }),
  'What a credential is and may do.',
);

export const meRoutes: readonly Route[] = [
  route('me.get', {
    response: me,
    async handle({ tenantId, credential }) {
      return { object: 'me', tenant_id: tenantId, credential_type: credential.type, scopes: credential.scopes };
    },
  }),
];
