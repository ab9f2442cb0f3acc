import {
  ALL_SCOPES,
  APP_DISABLERS,
  APP_VERIFICATIONS,
  LIMITS,
  type OAuthApp,
  type OAuthAppCreateParams,
  type OAuthAppSecretRotateParams,
  type OAuthAppUpdateParams,
  type OAuthAppWithSecret,
  type OAuthConsent,
  USER_STATUSES,
} from '@plat/contract';
import {
  array,
  describe,
  type Fields,
  id,
  integer,
  name,
  nullable,
  object,
  oneOf,
  optional,
  string,
  text,
  timestamp,
} from '../http/rules.ts';

const fields = {
  name: describe(name(), 'What people who are asked for consent know the app by.', 'Ledger Sync'),
  website: describe(nullable(text(LIMITS.url.max)), 'Where people can read about it.', 'https://ledger.example'),
  redirect_uris: describe(
    array(text(LIMITS.url.max), { min: 1, max: LIMITS.app.redirectUris }),
    'Where people are sent back to: `https`, or `http` on loopback while the app is not verified. Compared byte for byte.',
    ['https://ledger.example/callback'],
  ),
  scopes: describe(array(oneOf(ALL_SCOPES), { min: 1, max: ALL_SCOPES.length }), 'The most that the app may ask for.', [
    'clients:read',
  ]),
};

const appFields: Fields<OAuthApp> = {
  object: oneOf(['app']),
  id: describe(id('app'), 'The `client_id`.'),
  ...fields,
  verification: describe(oneOf(APP_VERIFICATIONS), 'Where it stands with the review of the platform.'),
  verification_note: describe(nullable(string()), 'What the review said.', null),
  disabled_by: describe(
    nullable(oneOf(APP_DISABLERS)),
    'Who disabled the app; null while it works. What the operator disabled, the developer cannot enable.',
    null,
  ),
  previous_secret_expires_at: describe(
    nullable(timestamp()),
    'Until when the secret before the current one is taken too; null when it is not.',
  ),
  created_at: timestamp(),
  updated_at: timestamp(),
};

export const app = describe(object<OAuthApp>('App', appFields), 'An OAuth app of a developer.');
export const appWithSecret = describe(
  object<OAuthAppWithSecret>('AppWithSecret', {
    ...appFields,
    client_secret: describe(string(), 'Shown in this answer only.', 'plat_cs_…'),
  }),
  'An OAuth app with its secret.',
);

export const appCreate = describe(
  object<OAuthAppCreateParams>('AppCreate', {
    name: fields.name,
    website: optional(fields.website),
    redirect_uris: fields.redirect_uris,
    scopes: fields.scopes,
  }),
  'An OAuth app to register.',
);

export const appUpdate = describe(
  object<OAuthAppUpdateParams>('AppUpdate', {
    name: optional(fields.name),
    website: optional(fields.website),
    redirect_uris: optional(fields.redirect_uris),
    scopes: optional(fields.scopes),
  }),
  'The fields to change; those that are absent stay as they are.',
);

export const appSecretRotate = describe(
  object<OAuthAppSecretRotateParams>('AppSecretRotate', {
    expires_in: optional(
      describe(
        integer({ min: 0, max: LIMITS.app.secretOverlapSeconds }),
        'Seconds that the old secret goes on working beside the new one; 0 when absent.',
        3600,
      ),
    ),
  }),
  'How the old secret ends.',
);

export const consent = describe(
  object<OAuthConsent>('Consent', {
    object: oneOf(['consent']),
    id: id('grant'),
    app_id: id('app'),
    app_name: describe(string(), 'What people call the app.', 'Ledger Sync'),
    app_verification: describe(oneOf(APP_VERIFICATIONS), 'Where the app stands with the review of the platform.'),
    tenant_id: id('tenant'),
    scopes: describe(array(oneOf(ALL_SCOPES)), 'What the app may do.', ['clients:read']),
    granted_by: describe(id('user'), 'The user who gave the consent. It goes on when that user is deactivated.'),
    granted_by_status: describe(
      nullable(oneOf(USER_STATUSES)),
      'Status of that user now: `suspended` after a deactivation; null when there is no such user any more.',
    ),
    created_at: timestamp(),
    last_used_at: describe(nullable(timestamp()), 'When the app last got tokens; null when it never has.'),
  }),
  'The consent of a tenant to an OAuth app: one family of tokens.',
);
