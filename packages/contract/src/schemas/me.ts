import { ALL_SCOPES } from '../scopes.ts';
import { answer } from './objects.ts';
import { id } from './texts.ts';
import { always, array, oneOf } from './values.ts';

export const me = answer('Me', 'The credential of the call and its scopes.', {
  object: always('me'),
  tenant_id: id('tenant', 'The tenant of the credential.'),
  credential_type: oneOf(null, ['api_key', 'oauth_token'], 'Kind of the credential.'),
  scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'The scopes granted to the credential.', {
    example: ['clients:read'],
  }),
});
