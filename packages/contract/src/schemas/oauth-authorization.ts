import { ALL_SCOPES } from '../scopes.ts';
import { answer, created_at, nullable } from './objects.ts';
import { id, string, time } from './texts.ts';
import { always, array, oneOf } from './values.ts';

export const oauthAuthorization = answer('OAuthAuthorization', 'The consent of a tenant to an OAuth app.', {
  object: always('oauth_authorization'),
  app_id: id('app'),
  app_name: string('Name of the app.', 'Ledger Sync'),
  tenant_id: id('tenant'),
  scopes: array(oneOf('Scope', ALL_SCOPES, 'A scope.'), 'Scopes that the tenant granted.', {
    example: ['clients:read'],
  }),
  granted_by: id('user', 'Id of the user who gave the consent.'),
  created_at,
  revoked_at: nullable(time('Time at which the consent was revoked; null while it is valid.')),
});

/** Schema of `data` for each event type of the family. */
export const payloads = {
  'oauth.app_authorized': oauthAuthorization,
  'oauth.app_revoked': oauthAuthorization,
} as const;
