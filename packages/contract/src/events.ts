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
