import type { Me } from '@plat/contract';
import { ALL_SCOPES } from '@plat/contract';
import { type Route, route } from '../../http/route.ts';
import { array, id, object, oneOf } from '../../http/rules.ts';

const me = object<Me>({
  object: oneOf(['me']),
  tenant_id: id('tenant'),
  credential_type: oneOf(['api_key', 'oauth_token']),
  scopes: array(oneOf(ALL_SCOPES)),
});

export const meRoutes: readonly Route[] = [
  route('me.get', {
    response: me,
    async handle({ tenantId, credential }) {
      return { object: 'me', tenant_id: tenantId, credential_type: credential.type, scopes: credential.scopes };
    },
  }),
];
