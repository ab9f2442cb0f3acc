import type {
  Client,
  Group,
  GroupMember,
  GroupOwner,
  Location,
  OAuthAuthorization,
  Tenant,
  User,
  UserRoleChange,
} from './generated.ts';

/** The 21 event types, each with the condition that fires it (specification, Event types). Append-only. */
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

/** All 21 event types, in the order of the specification. */
export const ALL_EVENT_TYPES: readonly EventType[] = Object.freeze(Object.keys(EVENT_TYPES) as EventType[]);

/** Type of `data` for each event type. */
export interface EventPayloads {
  /** The new client. */
  'client.created': Client;
  /** The client after the change. */
  'client.updated': Client;
  /** The client at the time of its deletion. */
  'client.deleted': Client;
  /** The new group. */
  'group.created': Group;
  /** The group after the change. */
  'group.updated': Group;
  /** The new membership. */
  'group.member_added': GroupMember;
  /** The removed membership. */
  'group.member_removed': GroupMember;
  /** The invited owner. */
  'group.owner_invited': GroupOwner;
  /** The removed owner. */
  'group.owner_removed': GroupOwner;
  /** The group at the time of its deletion. */
  'group.deleted': Group;
  /** The invited user. */
  'user.invited': User;
  /** The user who accepted the invitation. */
  'user.activated': User;
  /** The deactivated user. */
  'user.deactivated': User;
  /** The old and the new role of the user. */
  'user.role_changed': UserRoleChange;
  /** The suspended tenant. */
  'tenant.suspended': Tenant;
  /** The reactivated tenant. */
  'tenant.reactivated': Tenant;
  /** The new location. */
  'location.created': Location;
  /** The location after the change. */
  'location.updated': Location;
  /** The location at the time of its deletion. */
  'location.deleted': Location;
  /** The new consent of the tenant. */
  'oauth.app_authorized': OAuthAuthorization;
  /** The revoked consent. */
  'oauth.app_revoked': OAuthAuthorization;
}

/** The event object: the body of a webhook delivery (specification, event object). */
export interface EventOf<T extends EventType> {
  /** Id of the event, `evt_…`. It is the same in every delivery; deduplicate on it. */
  readonly id: string;
  /** Always `event`. */
  readonly object: 'event';
  /** The event type; it selects the type of `data`. */
  readonly type: T;
  /** Commit time in ISO 8601 with milliseconds. It orders the events of a tenant; ties are resolved by id. */
  readonly created: string;
  /** Id of the tenant. */
  readonly tenant_id: string;
  /** The affected resource as it was committed. */
  readonly data: EventPayloads[T];
}

/** Any of the 21 events. `type` determines the type of `data`. */
export type PlatformEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Returns true if the value is an event type of this version of the contract. */
export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENT_TYPES, value);
}
