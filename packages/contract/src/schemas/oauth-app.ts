import { LIMITS } from '../limits.ts';
import { APP_DISABLERS, APP_VERIFICATIONS } from '../objects/oauth.ts';
import { USER_STATUSES } from '../objects/user.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer, changes, created_at, deleted, nullable, params, times } from './objects.ts';
import { id, name, string, text, time } from './texts.ts';
import { always, array, integer, oneOf } from './values.ts';

const scope = oneOf('Scope', ALL_SCOPES, 'A scope.');
const verification = (description: string) => oneOf('AppVerification', APP_VERIFICATIONS, description);
const fields = {
  name: name('Name of the app, shown on the consent page.', 'Ledger Sync'),
  website: nullable(text(LIMITS.url.max, 'A page about the app.', 'https://ledger.example')),
  redirect_uris: array(
    text(LIMITS.url.max, 'A redirect URI.'),
    'Redirect URIs of the app: `https`, or `http` on loopback while the app is not verified. Compared byte for byte.',
    { min: 1, max: LIMITS.app.redirectUris, example: ['https://ledger.example/callback'] },
  ),
  scopes: array(scope, 'Scopes that the app may request.', {
    min: 1,
    max: ALL_SCOPES.length,
    example: ['clients:read'],
  }),
};

const appFields = {
  object: always('app'),
  id: id('app', 'The `client_id`.'),
  ...fields,
  verification: verification('State of the review by the platform.'),
  verification_note: nullable(string('The note of the review; null without one.'), null),
  disabled_by: nullable(
    oneOf(
      'AppDisabler',
      APP_DISABLERS,
      'Who disabled the app; null while it works. The developer cannot enable an app that the operator disabled.',
    ),
    null,
  ),
  previous_secret_expires_at: nullable(time('Until when the previous secret is accepted too; null when it is not.')),
  ...times,
};

export const oauthApp = answer('OAuthApp', 'An OAuth app of a developer.', appFields);

export const oauthAppWithSecret = answer('OAuthAppWithSecret', 'An OAuth app with its secret.', {
  ...appFields,
  client_secret: string('Shown in this answer only.', 'plat_cs_…'),
});

export const deletedOAuthApp = deleted('app', 'app');

export const oauthAppCreate = params('OAuthAppCreateParams', 'An OAuth app to register.', fields, [
  'name',
  'redirect_uris',
  'scopes',
]);

export const oauthAppUpdate = changes('OAuthAppUpdateParams', fields);

export const oauthAppSecretRotate = params('OAuthAppSecretRotateParams', 'How the old secret ends.', {
  expires_in: integer(
    0,
    LIMITS.app.secretOverlapSeconds,
    'Seconds for which the old secret continues to work beside the new one; 0 when absent.',
    3600,
  ),
});

export const oauthConsent = answer('OAuthConsent', 'The consent of a tenant to an OAuth app: one family of tokens.', {
  object: always('consent'),
  id: id('grant'),
  app_id: id('app'),
  app_name: string('Name of the app.', 'Ledger Sync'),
  app_verification: verification('State of the review of the app by the platform.'),
  tenant_id: id('tenant'),
  scopes: array(scope, 'The granted scopes.', { example: ['clients:read'] }),
  granted_by: id('user', 'The user who gave the consent. It stays when that user is deactivated.'),
  granted_by_status: nullable(
    oneOf(
      'UserStatus',
      USER_STATUSES,
      'Status of that user now: `suspended` after a deactivation; null when the user no longer exists.',
    ),
  ),
  created_at,
  last_used_at: nullable(time('When the app last got tokens; null when it never has.')),
});

export const deletedOAuthConsent = deleted('consent', 'grant');
