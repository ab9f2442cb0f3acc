import type { EventType } from './event-types.ts';
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

/** Event type → its `data`. */
export interface EventPayloads {
  /** The created client. */
  'client.created': Client;
  /** The client after the change. */
  'client.updated': Client;
  /** The client as it was deleted. */
  'client.deleted': Client;
  /** The created group. */
  'group.created': Group;
  /** The group after the change. */
  'group.updated': Group;
  /** The added member. */
  'group.member_added': GroupMember;
  /** The removed member. */
  'group.member_removed': GroupMember;
  /** The invited owner. */
  'group.owner_invited': GroupOwner;
  /** The removed owner. */
  'group.owner_removed': GroupOwner;
  /** The group as it was deleted. */
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
  /** The created location. */
  'location.created': Location;
  /** The location after the change. */
  'location.updated': Location;
  /** The location as it was deleted. */
  'location.deleted': Location;
  /** The consent. */
  'oauth.app_authorized': OAuthAuthorization;
  /** The revoked consent. */
  'oauth.app_revoked': OAuthAuthorization;
}

/** The event object: what a webhook body holds (specification, event object). */
export interface EventOf<T extends EventType> {
  /** `evt_…`; stable per event, the value to deduplicate on. */
  readonly id: string;
  /** Always `event`. */
  readonly object: 'event';
  /** The event type; it selects the type of `data`. */
  readonly type: T;
  /** ISO 8601 with milliseconds; orders the events of a tenant, ties by id. */
  readonly created: string;
  /** Id of the tenant. */
  readonly tenant_id: string;
  /** The affected resource as it was committed. */
  readonly data: EventPayloads[T];
}

/** Any of the 21 events, told apart by `type`. */
export type PlatformEvent = { [T in EventType]: EventOf<T> }[EventType];
