/** The event types, each with the condition that fires it (specification, Event types). Append-only. */
export const EVENT_TYPES = {
  'client.created': 'A client is inserted.',
  'client.updated': 'Any PATCH on a client (name, status, slug, domain).',
  'client.deleted': 'A client is soft-deleted.',
  'group.created': 'A group is inserted.',
  'group.updated': 'A group is renamed or its membership policy changes.',
  'group.member_added': 'A client is added to a group.',
  'group.member_removed': 'A client is removed from a group.',
  'group.owner_invited': 'A group owner invitation is sent.',
  'group.owner_removed': 'A group owner is removed.',
  'group.deleted': 'A group is hard-deleted.',
  'user.invited': 'A user invitation is sent.',
  'user.activated': 'An invited user accepts and becomes active.',
  'user.deactivated': 'A user is suspended (kept for audit, not deletable).',
  'user.role_changed': 'The role assignment of a user changes in the tenant.',
  'tenant.suspended': 'The tenant is suspended by a platform administrator.',
  'tenant.reactivated': 'A suspended tenant is reactivated.',
  'location.created': 'A location is created under a client or group.',
  'location.updated': 'Address, timezone, country or default flag changes.',
  'location.deleted': 'A non-default location is removed after the three guards pass.',
  'oauth.app_authorized': 'A tenant grants consent to an OAuth app.',
  'oauth.app_revoked': 'A tenant revokes consent to an OAuth app.',
} as const;

/** Name of an event type, such as `client.created`. */
export type EventType = keyof typeof EVENT_TYPES;

/** All event types, in the order of the specification. */
export const ALL_EVENT_TYPES: readonly EventType[] = Object.freeze(Object.keys(EVENT_TYPES) as EventType[]);

/** Returns true if the value is an event type of this version of the contract. */
export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_TYPES, value);
}

/** The event types of an OAuth app, each with the condition that fires it. An app's own endpoints receive them. Append-only. */
export const APP_EVENT_TYPES = {
  'installation.authorized': 'A tenant gives the app access.',
  'installation.revoked':
    'The access of one tenant is revoked, by the tenant, the app or the service. A later consent of the tenant that replaces it does not fire it.',
  'installation.scopes_changed': 'A later consent of a tenant, with other scopes, replaces the former one.',
  'installation.reuse_detected': 'An authorization code or a refresh token is used twice. The installation is revoked.',
  'app.verified': 'The platform verifies the app.',
  'app.rejected': 'The platform rejects the app, so it works with sandboxes only.',
  'app.disabled': 'The app is disabled. All its installations are revoked.',
  'app.enabled': 'The app is enabled again. Tenants must consent again.',
  'app.deleted': 'The app is deleted. All its installations are revoked.',
  'app.secret_rotated': 'The client secret of the app is rotated.',
} as const;

/** Name of an event type of an app, such as `installation.revoked`. */
export type AppEventType = keyof typeof APP_EVENT_TYPES;

/** All event types of an app. */
export const ALL_APP_EVENT_TYPES: readonly AppEventType[] = Object.freeze(
  Object.keys(APP_EVENT_TYPES) as AppEventType[],
);

/** Returns true if the value is an event type of an app in this version of the contract. */
export function isAppEventType(value: unknown): value is AppEventType {
  return typeof value === 'string' && Object.hasOwn(APP_EVENT_TYPES, value);
}

/** Name of an event type of a tenant or an app. */
export type AnyEventType = EventType | AppEventType;
