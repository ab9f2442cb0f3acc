import { ALL_SCOPES } from '../scopes.ts';
import { answer, created_at, nullable } from './objects.ts';
import { id, string, time } from './texts.ts';
import { always, array, oneOf } from './values.ts';

export const oauthAuthorization = answer('OAuthAuthorization', 'The consent of a tenant to an OAuth app.', {
  object: always('oauth_authorization'),
  app_id: id('app'),
  app_name: string('Name of the app.', 'Ledger Sync'),
  tenant_id: id('tenant'),
  scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'The granted scopes.', { example: ['clients:read'] }),
  granted_by: id('user', 'The user who gave the consent.'),
  created_at,
  revoked_at: nullable(time('When the consent was revoked; null while it holds.')),
});
