import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  type AnyEventType,
  APP_EVENT_TYPES,
  type AppEventType,
  EVENT_TYPES,
  type EventType,
} from '../event-types.ts';
import { client } from './client.ts';
import { group, groupMember, groupOwner } from './group.ts';
import { installation, revokedInstallation, scopeChangedInstallation } from './installation.ts';
import type { JsonSchema } from './json-schema.ts';
import { location } from './location.ts';
import { oauthApp } from './oauth-app.ts';
import { oauthAuthorization } from './oauth-authorization.ts';
import { answer, field, page, params } from './objects.ts';
import { tenant } from './tenant.ts';
import { id, time } from './texts.ts';
import { user, userRoleChange } from './user.ts';
import { always, oneOf } from './values.ts';

/** Schema of `data` for each event type. */
const PAYLOADS: Readonly<Record<EventType, JsonSchema>> = {
  'client.created': client,
  'client.updated': client,
  'client.deleted': client,
  'group.created': group,
  'group.updated': group,
  'group.member_added': groupMember,
  'group.member_removed': groupMember,
  'group.owner_invited': groupOwner,
  'group.owner_removed': groupOwner,
  'group.deleted': group,
  'user.invited': user,
  'user.activated': user,
  'user.deactivated': user,
  'user.role_changed': userRoleChange,
  'tenant.suspended': tenant,
  'tenant.reactivated': tenant,
  'location.created': location,
  'location.updated': location,
  'location.deleted': location,
  'oauth.app_authorized': oauthAuthorization,
  'oauth.app_revoked': oauthAuthorization,
};

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

/** Schema of any event: the body of a webhook delivery. */
export const event = anyEvent(
  'PlatformEvent',
  'A committed change of the data of a tenant. `type` determines the type of `data`.',
  ALL_EVENT_TYPES.map(eventOf),
);

const times = {
  created_after: time('Only events created after this time.'),
  created_before: time('Only events created before this time.'),
};

export const eventList = params('EventListParams', 'Filters and paging for the list of events.', {
  ...page,
  type: oneOf('EventType', ALL_EVENT_TYPES, 'Only events of this type.'),
  ...times,
});

/** Schema of any event of an app: the body of a delivery to an app's own endpoint. */
export const appEvent = anyEvent(
  'AppEvent',
  'A committed change of an installation or of the app. `type` determines the type of `data`.',
  ALL_APP_EVENT_TYPES.map((type) =>
    envelope(type, APP_EVENT_TYPES[type], APP_PAYLOADS[type], {
      tenant_id: id(
        'tenant',
        "Id of the tenant of the installation. For events of the app itself: id of the developer's sandbox.",
      ),
      app_id: id('app'),
    }),
  ),
);

export const appEventList = params('AppEventListParams', 'Filters and paging for the list of events of an app.', {
  ...page,
  type: oneOf('AppEventType', ALL_APP_EVENT_TYPES, 'Only events of this type.'),
  ...times,
});

/** Returns the schema of the events of one type. */
export function eventOf(type: EventType): JsonSchema {
  const schema = envelope(type, EVENT_TYPES[type], PAYLOADS[type], { tenant_id: id('tenant') });
  return { ...schema, 'x-type': `EventOf<'${type}'>` };
}

function envelope(
  type: AnyEventType,
  description: string,
  payload: JsonSchema,
  about: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const title = type.replace(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase());
  const schema = answer(`${title}Event`, description, {
    id: id('event', 'Id of the event, the same in every delivery. Deduplicate on it.'),
    object: always('event'),
    type: always(type),
    created: time('Commit time of the change. It orders the events of a tenant; ties are resolved by `id`.'),
    ...about,
    data: field(payload, 'The affected resource as committed.'),
  });
  return { ...schema, 'x-type': `AppEventOf<'${type}'>` };
}

/** Schema of one of several events. */
function anyEvent(title: string, description: string, events: readonly JsonSchema[]): JsonSchema {
  return {
    title,
    'x-type': title,
    description,
    oneOf: events,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        events.map(({ title: name = '', properties }) => [properties?.['type']?.const, name]),
      ),
    },
  };
}
