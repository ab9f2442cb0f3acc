import { ALL_APP_EVENT_TYPES, APP_EVENT_TYPES, type AppEventType } from '../event-types.ts';
import { anyEvent, envelopeOf } from './event.ts';
import { installation, revokedInstallation, scopeChangedInstallation } from './installation.ts';
import type { JsonSchema } from './json-schema.ts';
import { oauthApp } from './oauth-app.ts';
import { page, params } from './objects.ts';
import { id, time } from './texts.ts';
import { oneOf } from './values.ts';

/** Schema of `data` for each event type of an app. */
const APP_PAYLOADS: Readonly<Record<AppEventType, JsonSchema>> = {
  'installation.authorized': installation,
  'installation.revoked': revokedInstallation,
  'installation.scopes_changed': scopeChangedInstallation,
  'installation.reuse_detected': revokedInstallation,
  'app.verified': oauthApp,
  'app.rejected': oauthApp,
  'app.disabled': oauthApp,
  'app.enabled': oauthApp,
  'app.deleted': oauthApp,
  'app.secret_rotated': oauthApp,
};

const about = {
  tenant_id: id(
    'tenant',
    "Id of the tenant of the installation. For events of the app itself: id of the developer's sandbox.",
  ),
  app_id: id('app'),
};

/** Schema of any event of an app: the body of a delivery to an app's own endpoint. */
export const appEvent = anyEvent(
  'AppEvent',
  'A committed change of an installation or of the app. `type` determines the type of `data`.',
  ALL_APP_EVENT_TYPES.map(appEventOf),
);

export const appEventList = params('AppEventListParams', 'Filters and paging for the list of events of an app.', {
  ...page,
  type: oneOf('AppEventType', ALL_APP_EVENT_TYPES, 'Only events of this type.'),
  created_after: time('Only events created after this time.'),
  created_before: time('Only events created before this time.'),
});

/** Returns the schema of the events of one type of an app. */
export function appEventOf(type: AppEventType): JsonSchema {
  const schema = envelopeOf(type, APP_EVENT_TYPES[type], APP_PAYLOADS[type], about);
  return { ...schema, 'x-type': `AppEventOf<'${type}'>` };
}
