import { LIMITS } from '../limits.ts';
import { APP_DISABLERS, APP_VERIFICATIONS } from '../objects/oauth.ts';
import { USER_STATUSES } from '../objects/user.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer, changes, created_at, deleted, nullable, params, times } from './objects.ts';
import { id, line, name, string, text, time } from './texts.ts';
import { always, array, integer, oneOf } from './values.ts';

const scope = oneOf('Scope', ALL_SCOPES, 'A scope.');
const verification = (description: string) => oneOf('AppVerification', APP_VERIFICATIONS, description);
const fields = {
  name: name('Name of the app, shown on the consent page.', 'Ledger Sync'),
  website: nullable(
    line(LIMITS.url.max, 'URL of a page about the app; null if it is not set.', 'https://ledger.example'),
  ),
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
  id: id('app', 'Id of the app: the `client_id` of OAuth requests.'),
  ...fields,
  verification: verification('Verification status: the result of the review by the platform.'),
  verification_note: nullable(string('Note of the reviewer; null if there is none.'), null),
  disabled_by: nullable(
    oneOf(
      'AppDisabler',
      APP_DISABLERS,
      'Party that disabled the app; null while the app is enabled. A developer cannot enable an app that the operator disabled.',
    ),
    null,
  ),
  previous_secret_expires_at: nullable(
    time('Time until which the previous secret is also accepted; null if no previous secret is accepted.'),
  ),
  ...times,
};

export const oauthApp = answer('OAuthApp', 'An OAuth app of a developer.', appFields);

export const oauthAppWithSecret = answer('OAuthAppWithSecret', 'An OAuth app with its client secret.', {
  ...appFields,
  client_secret: string('Client secret of the app. It is shown in this response only.', 'plat_cs_…'),
});

export const deletedOAuthApp = deleted('app', 'app');

export const oauthAppCreate = params('OAuthAppCreateParams', 'Fields of the OAuth app to register.', fields, [
  'name',
  'redirect_uris',
  'scopes',
]);

export const oauthAppUpdate = changes('OAuthAppUpdateParams', fields);

export const oauthAppSecretRotate = params('OAuthAppSecretRotateParams', 'Options of the rotation.', {
  expires_in: integer(
    0,
    LIMITS.app.secretOverlapSeconds,
    'Seconds for which the old secret is accepted besides the new one; 0 when absent.',
    3600,
  ),
});

export const oauthConsent = answer(
  'OAuthConsent',
  'The consent of a tenant to an OAuth app. All tokens of the consent form one grant family.',
  {
    object: always('consent'),
    id: id('grant'),
    app_id: id('app'),
    app_name: string('Name of the app.', 'Ledger Sync'),
    app_verification: verification('Verification status of the app: the result of the review by the platform.'),
    tenant_id: id('tenant'),
    scopes: array(scope, 'Scopes that the tenant granted.', { example: ['clients:read'] }),
    granted_by: id(
      'user',
      'Id of the user who gave the consent. The consent remains valid when that user is deactivated.',
    ),
    granted_by_status: nullable(
      oneOf(
        'UserStatus',
        USER_STATUSES,
        'Current status of that user: `suspended` after a deactivation; null if the user no longer exists.',
      ),
    ),
    created_at,
    last_used_at: nullable(time('Time at which the app last received tokens; null if it never has.')),
  },
);

export const deletedOAuthConsent = deleted('consent', 'grant');
