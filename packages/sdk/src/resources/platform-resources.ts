// Generated from the operations of the contract by `npm run types`. Do not edit.

import type * as api from '@plat/contract';
import { ApiClient } from '../api-client.ts';
import type { ApiCall } from '../call/api-call.ts';
import type { CallOptions, WriteOptions } from '../call/call-options.ts';
import type { Engine } from '../call/engine.ts';
import type { ListCall } from '../list/list-call.ts';
import { createResources } from './create-resources.ts';
import type { ListOptions } from './operation-method.ts';
import { PLATFORM_TABLE } from './platform-table.ts';

// Arguments and results of the methods, for programs that name them.
export type {
  AuditEvent,
  AuditEventListParams,
  Client,
  ClientCreateParams,
  ClientListParams,
  ClientUpdateParams,
  Deleted,
  EventListParams,
  EventReplayParams,
  Group,
  GroupCreateParams,
  GroupMember,
  GroupMemberAddParams,
  GroupMemberListParams,
  GroupOwner,
  GroupOwnerInviteParams,
  GroupUpdateParams,
  Id,
  Invoice,
  InvoiceListParams,
  List,
  ListParams,
  Location,
  LocationCreateParams,
  LocationUpdateParams,
  LoggedRequest,
  Me,
  Module,
  Payment,
  PaymentListParams,
  Plan,
  PlatformEvent,
  RequestListParams,
  Role,
  RoleCreateParams,
  RoleUpdateParams,
  Settings,
  SettingsUpdateParams,
  Tenant,
  TenantUpdateParams,
  Trace,
  TraceParams,
  User,
  UserCreateParams,
  UserListParams,
  UserUpdateParams,
  WebhookDelivery,
  WebhookDeliveryListParams,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointListParams,
  WebhookEndpointUpdateParams,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayCreateParams,
  WebhookReplayListParams,
  WebhookSecretRotateParams,
} from '@plat/contract';

/** The credential of the caller: its tenant, type and scopes. */
export interface MeResource {
  /**
   * Shows which tenant, type and scopes the credential has. It requires no scope.
   * @example const me = await platform.me.get();
   */
  get(options?: CallOptions): ApiCall<api.Me>;
}

/** Clients: the customers of the tenant, and their locations. */
export interface Clients {
  /** Locations of a client, one of which is its default. */
  readonly locations: ClientLocations;
  /**
   * Lists clients, newest first. Scope `clients:read`.
   * @param params - Filters and paging for the list of clients.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const client of platform.clients.list()) console.log(client);
   */
  list(params?: api.ClientListParams, options?: ListOptions): ListCall<api.Client>;
  /**
   * Creates a client. Without a slug, it is derived from the name. Scope `clients:write`. Emits `client.created`.
   * @param params - Fields of the client to create.
   * @throws {@link ApiError} `SLUG_IN_USE`, `QUOTA_EXCEEDED`
   * @example const client = await platform.clients.create({ name: 'Acme Ltd' });
   */
  create(params: api.ClientCreateParams, options?: WriteOptions): ApiCall<api.Client>;
  /**
   * Shows a client. Scope `clients:read`.
   * @param clientId - Id of the client.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`
   * @example const client = await platform.clients.get(clientId);
   */
  get(clientId: api.Id<'client'>, options?: CallOptions): ApiCall<api.Client>;
  /**
   * Changes a client. Null clears the domain. Scope `clients:write`. Emits `client.updated`.
   * @param clientId - Id of the client.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `SLUG_IN_USE`, `DOMAIN_IN_USE`
   * @example const client = await platform.clients.update(clientId, { name: 'Acme Ltd' });
   */
  update(clientId: api.Id<'client'>, params: api.ClientUpdateParams, options?: CallOptions): ApiCall<api.Client>;
  /**
   * Deletes a client (soft). Its slug and domain become free. If the response of the first attempt was lost, the retry finds no client: a `CLIENT_NOT_FOUND` with `attempts` above 1 can mean success. Scope `clients:write`. Emits `client.deleted`.
   * @param clientId - Id of the client.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`
   * @example const deletedClient = await platform.clients.delete(clientId);
   */
  delete(clientId: api.Id<'client'>, options?: CallOptions): ApiCall<api.Deleted<'client'>>;
}

/** Locations of a client, one of which is its default. */
export interface ClientLocations {
  /**
   * Lists the locations of a client, newest first. Scope `locations:read`.
   * @param clientId - Id of the client.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `INVALID_CURSOR`
   * @example for await (const location of platform.clients.locations.list(clientId)) console.log(location);
   */
  list(clientId: api.Id<'client'>, params?: api.ListParams, options?: ListOptions): ListCall<api.Location>;
  /**
   * Creates a location of a client. The first one becomes the default. `default: true` moves the flag from the current default, whose change is an event too. Scope `locations:write`. Emits `location.created`, `location.updated`.
   * @param clientId - Id of the client.
   * @param params - Fields of the location to create.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `QUOTA_EXCEEDED`
   * @example const location = await platform.clients.locations.create(clientId, { name: 'Main store', country: 'DE' });
   */
  create(clientId: api.Id<'client'>, params: api.LocationCreateParams, options?: WriteOptions): ApiCall<api.Location>;
  /**
   * Shows a location of a client. Scope `locations:read`.
   * @param clientId - Id of the client.
   * @param locationId - Id of the location.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`
   * @example const location = await platform.clients.locations.get(clientId, locationId);
   */
  get(clientId: api.Id<'client'>, locationId: api.Id<'location'>, options?: CallOptions): ApiCall<api.Location>;
  /**
   * Changes a location of a client. Null clears the address. `default: true` moves the flag from the current default, and both changes are events. The flag is moved, never cleared: `DEFAULT_LOCATION_PROTECTED`. Scope `locations:write`. Emits `location.updated`.
   * @param clientId - Id of the client.
   * @param locationId - Id of the location.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `DEFAULT_LOCATION_PROTECTED`
   * @example const location = await platform.clients.locations.update(clientId, locationId, { name: 'Main store' });
   */
  update(clientId: api.Id<'client'>, locationId: api.Id<'location'>, params: api.LocationUpdateParams, options?: CallOptions): ApiCall<api.Location>;
  /**
   * Deletes a location of a client. It must not be the last one or the default, and must have no users. Scope `locations:write`. Emits `location.deleted`.
   * @param clientId - Id of the client.
   * @param locationId - Id of the location.
   * @throws {@link ApiError} `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `LAST_LOCATION_PROTECTED`, `DEFAULT_LOCATION_PROTECTED`, `LOCATION_IN_USE`
   * @example const deletedLocation = await platform.clients.locations.delete(clientId, locationId);
   */
  delete(clientId: api.Id<'client'>, locationId: api.Id<'location'>, options?: CallOptions): ApiCall<api.Deleted<'location'>>;
}

/** Groups of clients, with their members, owners and locations. */
export interface Groups {
  /** The clients in a group, each identified by group and client. */
  readonly members: GroupMembers;
  /** The users who own a group or are invited to own it, each identified by group and user. */
  readonly owners: GroupOwners;
  /** Locations of a group, one of which is its default. */
  readonly locations: GroupLocations;
  /**
   * Lists groups, newest first. Scope `groups:read`.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const group of platform.groups.list()) console.log(group);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.Group>;
  /**
   * Creates a group. Without a slug, it is derived from the name. Scope `groups:write`. Emits `group.created`.
   * @param params - Fields of the group to create.
   * @throws {@link ApiError} `SLUG_IN_USE`, `QUOTA_EXCEEDED`
   * @example const group = await platform.groups.create({ name: 'Retail North' });
   */
  create(params: api.GroupCreateParams, options?: WriteOptions): ApiCall<api.Group>;
  /**
   * Shows a group. Scope `groups:read`.
   * @param groupId - Id of the group.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`
   * @example const group = await platform.groups.get(groupId);
   */
  get(groupId: api.Id<'group'>, options?: CallOptions): ApiCall<api.Group>;
  /**
   * Changes a group. The event is emitted only if a field changed. Scope `groups:write`. Emits `group.updated`.
   * @param groupId - Id of the group.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `SLUG_IN_USE`
   * @example const group = await platform.groups.update(groupId, { name: 'Retail North' });
   */
  update(groupId: api.Id<'group'>, params: api.GroupUpdateParams, options?: CallOptions): ApiCall<api.Group>;
  /**
   * Deletes a group with its members, owners and locations (hard). Scope `groups:write`. Emits `group.deleted`.
   * @param groupId - Id of the group.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`
   * @example const deletedGroup = await platform.groups.delete(groupId);
   */
  delete(groupId: api.Id<'group'>, options?: CallOptions): ApiCall<api.Deleted<'group'>>;
}

/** The clients in a group, each identified by group and client. */
export interface GroupMembers {
  /**
   * Lists the clients in a group, the newest client first. Cursors are client ids, because a member has no separate id. Scope `groups:read`.
   * @param groupId - Id of the group.
   * @param params - Paging for the list of group members. Cursors are client ids, because a member has no separate id.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   * @example for await (const groupMember of platform.groups.members.list(groupId)) console.log(groupMember);
   */
  list(groupId: api.Id<'group'>, params?: api.GroupMemberListParams, options?: ListOptions): ListCall<api.GroupMember>;
  /**
   * Adds a client to a group. The policy `membership_policy` does not limit this operation. Scope `groups:write`. Emits `group.member_added`.
   * @param groupId - Id of the group.
   * @param params - The client to add to the group.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `CLIENT_NOT_FOUND`, `ALREADY_MEMBER`, `QUOTA_EXCEEDED`
   * @example const groupMember = await platform.groups.members.add(groupId, { client_id: 'cli_01k0z8k3v7e5q2m9t4r6w1x8c0' });
   */
  add(groupId: api.Id<'group'>, params: api.GroupMemberAddParams, options?: WriteOptions): ApiCall<api.GroupMember>;
  /**
   * Shows the membership of a client in a group. Scope `groups:read`.
   * @param groupId - Id of the group.
   * @param clientId - Id of the client.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `GROUP_MEMBER_NOT_FOUND`
   * @example const groupMember = await platform.groups.members.get(groupId, clientId);
   */
  get(groupId: api.Id<'group'>, clientId: api.Id<'client'>, options?: CallOptions): ApiCall<api.GroupMember>;
  /**
   * Removes a client from a group. The `id` of the response is that of the client. Scope `groups:write`. Emits `group.member_removed`.
   * @param groupId - Id of the group.
   * @param clientId - Id of the client.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `GROUP_MEMBER_NOT_FOUND`
   * @example const deletedGroupMember = await platform.groups.members.remove(groupId, clientId);
   */
  remove(groupId: api.Id<'group'>, clientId: api.Id<'client'>, options?: CallOptions): ApiCall<api.Deleted<'group_member'>>;
}

/** The users who own a group or are invited to own it, each identified by group and user. */
export interface GroupOwners {
  /**
   * Lists the owners of a group, the newest user first. Cursors are user ids, because an owner has no separate id. Scope `groups:read`.
   * @param groupId - Id of the group.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   * @example for await (const groupOwner of platform.groups.owners.list(groupId)) console.log(groupOwner);
   */
  list(groupId: api.Id<'group'>, params?: api.ListParams, options?: ListOptions): ListCall<api.GroupOwner>;
  /**
   * Invites a person to own a group. A person who is not a user of the tenant is also invited as a user with the role `viewer`. A suspended user cannot own a group: `UNPROCESSABLE`. Scope `groups:write`. Emits `group.owner_invited`, `user.invited`.
   * @param groupId - Id of the group.
   * @param params - The person to invite as an owner of the group.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `ALREADY_OWNER`, `UNPROCESSABLE`, `QUOTA_EXCEEDED`, `MAIL_LIMIT_REACHED`
   * @example const groupOwner = await platform.groups.owners.invite(groupId, { email: 'ada@example.com' });
   */
  invite(groupId: api.Id<'group'>, params: api.GroupOwnerInviteParams, options?: WriteOptions): ApiCall<api.GroupOwner>;
  /**
   * Shows an owner of a group. Scope `groups:read`.
   * @param groupId - Id of the group.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `GROUP_OWNER_NOT_FOUND`
   * @example const groupOwner = await platform.groups.owners.get(groupId, userId);
   */
  get(groupId: api.Id<'group'>, userId: api.Id<'user'>, options?: CallOptions): ApiCall<api.GroupOwner>;
  /**
   * Removes an owner of a group. The user is not deleted. The `id` of the response is that of the user. Scope `groups:write`. Emits `group.owner_removed`.
   * @param groupId - Id of the group.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `GROUP_OWNER_NOT_FOUND`
   * @example const deletedGroupOwner = await platform.groups.owners.remove(groupId, userId);
   */
  remove(groupId: api.Id<'group'>, userId: api.Id<'user'>, options?: CallOptions): ApiCall<api.Deleted<'group_owner'>>;
}

/** Locations of a group, one of which is its default. */
export interface GroupLocations {
  /**
   * Lists the locations of a group, newest first. Scope `locations:read`.
   * @param groupId - Id of the group.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `INVALID_CURSOR`
   * @example for await (const location of platform.groups.locations.list(groupId)) console.log(location);
   */
  list(groupId: api.Id<'group'>, params?: api.ListParams, options?: ListOptions): ListCall<api.Location>;
  /**
   * Creates a location of a group. The first one becomes the default. `default: true` moves the flag from the current default, whose change is an event too. Scope `locations:write`. Emits `location.created`, `location.updated`.
   * @param groupId - Id of the group.
   * @param params - Fields of the location to create.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `QUOTA_EXCEEDED`
   * @example const location = await platform.groups.locations.create(groupId, { name: 'Main store', country: 'DE' });
   */
  create(groupId: api.Id<'group'>, params: api.LocationCreateParams, options?: WriteOptions): ApiCall<api.Location>;
  /**
   * Shows a location of a group. Scope `locations:read`.
   * @param groupId - Id of the group.
   * @param locationId - Id of the location.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`
   * @example const location = await platform.groups.locations.get(groupId, locationId);
   */
  get(groupId: api.Id<'group'>, locationId: api.Id<'location'>, options?: CallOptions): ApiCall<api.Location>;
  /**
   * Changes a location of a group. Null clears the address. `default: true` moves the flag from the current default, and both changes are events. The flag is moved, never cleared: `DEFAULT_LOCATION_PROTECTED`. Scope `locations:write`. Emits `location.updated`.
   * @param groupId - Id of the group.
   * @param locationId - Id of the location.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`, `DEFAULT_LOCATION_PROTECTED`
   * @example const location = await platform.groups.locations.update(groupId, locationId, { name: 'Main store' });
   */
  update(groupId: api.Id<'group'>, locationId: api.Id<'location'>, params: api.LocationUpdateParams, options?: CallOptions): ApiCall<api.Location>;
  /**
   * Deletes a location of a group. It must not be the last one or the default, and must have no users. Scope `locations:write`. Emits `location.deleted`.
   * @param groupId - Id of the group.
   * @param locationId - Id of the location.
   * @throws {@link ApiError} `GROUP_NOT_FOUND`, `LOCATION_NOT_FOUND`, `LAST_LOCATION_PROTECTED`, `DEFAULT_LOCATION_PROTECTED`, `LOCATION_IN_USE`
   * @example const deletedLocation = await platform.groups.locations.delete(groupId, locationId);
   */
  delete(groupId: api.Id<'group'>, locationId: api.Id<'location'>, options?: CallOptions): ApiCall<api.Deleted<'location'>>;
}

/** Users of the tenant, their invitations and their roles. */
export interface Users {
  /**
   * Lists users, newest first. Scope `users:read`.
   * @param params - Filters and paging for the list of users.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const user of platform.users.list()) console.log(user);
   */
  list(params?: api.UserListParams, options?: ListOptions): ListCall<api.User>;
  /**
   * Creates a user and send the invitation. A location must belong to the client of the user: `UNPROCESSABLE`. Scope `users:write`. Emits `user.invited`.
   * @param params - Fields of the user to create and invite.
   * @throws {@link ApiError} `ROLE_NOT_FOUND`, `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `UNPROCESSABLE`, `EMAIL_IN_USE`, `OAUTH_CANNOT_MANAGE_OWNERS`, `QUOTA_EXCEEDED`, `MAIL_LIMIT_REACHED`
   * @example const user = await platform.users.create({ email: 'ada@example.com', role: 'member' });
   */
  create(params: api.UserCreateParams, options?: WriteOptions): ApiCall<api.User>;
  /**
   * Shows a user. Scope `users:read`.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `USER_NOT_FOUND`
   * @example const user = await platform.users.get(userId);
   */
  get(userId: api.Id<'user'>, options?: CallOptions): ApiCall<api.User>;
  /**
   * Changes a user. Null clears name, client or location. A location must belong to the client of the user: `UNPROCESSABLE`. The event is emitted only if the role changed. Scope `users:write`. Emits `user.role_changed`.
   * @param userId - Id of the user.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `USER_NOT_FOUND`, `ROLE_NOT_FOUND`, `CLIENT_NOT_FOUND`, `LOCATION_NOT_FOUND`, `UNPROCESSABLE`, `LAST_OWNER_PROTECTED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   * @example const user = await platform.users.update(userId, { name: 'Ada Lovelace' });
   */
  update(userId: api.Id<'user'>, params: api.UserUpdateParams, options?: CallOptions): ApiCall<api.User>;
  /**
   * Sends the invitation again; earlier links stop working. Scope `users:write`. Emits `user.invited`.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `USER_NOT_FOUND`, `USER_NOT_INVITED`, `OAUTH_CANNOT_MANAGE_OWNERS`, `MAIL_LIMIT_REACHED`
   * @example const user = await platform.users.invite(userId);
   */
  invite(userId: api.Id<'user'>, options?: WriteOptions): ApiCall<api.User>;
  /**
   * Deactivates a user permanently; the record is kept for audit. The user no longer owns groups: an event is emitted for each. A user who has not accepted the invitation is deleted instead: `UNPROCESSABLE`. Scope `users:write`. Emits `user.deactivated`, `group.owner_removed`.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `USER_NOT_FOUND`, `UNPROCESSABLE`, `LAST_OWNER_PROTECTED`, `OAUTH_CANNOT_MANAGE_OWNERS`
   * @example const user = await platform.users.deactivate(userId);
   */
  deactivate(userId: api.Id<'user'>, options?: WriteOptions): ApiCall<api.User>;
  /**
   * Withdraws the invitation of a user who has not accepted it, and delete the user. An event is emitted for each group that the user was invited to own. Scope `users:write`. Emits `group.owner_removed`.
   * @param userId - Id of the user.
   * @throws {@link ApiError} `USER_NOT_FOUND`, `USER_NOT_DELETABLE`, `OAUTH_CANNOT_MANAGE_OWNERS`
   * @example const deletedUser = await platform.users.delete(userId);
   */
  delete(userId: api.Id<'user'>, options?: CallOptions): ApiCall<api.Deleted<'user'>>;
}

/** The tenant of the credential. */
export interface TenantResource {
  /**
   * Shows the tenant. Scope `tenant:read`.
   * @example const tenant = await platform.tenant.get();
   */
  get(options?: CallOptions): ApiCall<api.Tenant>;
  /**
   * Renames the tenant. Scope `tenant:write`.
   * @param params - The fields to change. Absent fields keep their value.
   * @example const tenant = await platform.tenant.update({ name: 'Harbour Retail' });
   */
  update(params: api.TenantUpdateParams, options?: CallOptions): ApiCall<api.Tenant>;
}

/** Settings of the tenant. */
export interface SettingsResource {
  /**
   * Shows the settings of the tenant. Scope `settings:read`.
   * @example const settings = await platform.settings.get();
   */
  get(options?: CallOptions): ApiCall<api.Settings>;
  /**
   * Changes the settings of the tenant. Null clears the support address. Scope `settings:write`.
   * @param params - The fields to change. Absent fields keep their value.
   * @example const settings = await platform.settings.update({ default_timezone: 'Europe/Berlin' });
   */
  update(params: api.SettingsUpdateParams, options?: CallOptions): ApiCall<api.Settings>;
}

/** Roles: the capabilities that are visible to their users. */
export interface Roles {
  /**
   * Lists roles, newest first. Built-in roles are included. Users refer to a role by its `name`. Scope `roles:read`.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const role of platform.roles.list()) console.log(role);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.Role>;
  /**
   * Creates a role. Its name cannot be changed. Scope `roles:write`.
   * @param params - Fields of the role to create.
   * @throws {@link ApiError} `ROLE_NAME_IN_USE`, `QUOTA_EXCEEDED`
   * @example const role = await platform.roles.create({ name: 'shop_manager', title: 'Shop manager' });
   */
  create(params: api.RoleCreateParams, options?: WriteOptions): ApiCall<api.Role>;
  /**
   * Shows a role. Scope `roles:read`.
   * @param roleId - Id of the role.
   * @throws {@link ApiError} `ROLE_NOT_FOUND`
   * @example const role = await platform.roles.get(roleId);
   */
  get(roleId: api.Id<'role'>, options?: CallOptions): ApiCall<api.Role>;
  /**
   * Changes a role of the tenant. Null clears the description. Scope `roles:write`.
   * @param roleId - Id of the role.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `ROLE_NOT_FOUND`, `ROLE_BUILT_IN`
   * @example const role = await platform.roles.update(roleId, { title: 'Shop manager' });
   */
  update(roleId: api.Id<'role'>, params: api.RoleUpdateParams, options?: CallOptions): ApiCall<api.Role>;
}

/** The audit trail. */
export interface Audit {
  /** Audit events: each change with its actor and time. */
  readonly events: AuditEvents;
}

/** Audit events: each change with its actor and time. */
export interface AuditEvents {
  /**
   * Lists the audit trail, newest first. Scope `audit:read`.
   * @param params - Filters and paging for the list of audit events.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const auditEvent of platform.audit.events.list()) console.log(auditEvent);
   */
  list(params?: api.AuditEventListParams, options?: ListOptions): ListCall<api.AuditEvent>;
  /**
   * Shows an audit event. Scope `audit:read`.
   * @param auditEventId - Id of the audit event.
   * @throws {@link ApiError} `AUDIT_EVENT_NOT_FOUND`
   * @example const auditEvent = await platform.audit.events.get(auditEventId);
   */
  get(auditEventId: api.Id<'audit_event'>, options?: CallOptions): ApiCall<api.AuditEvent>;
}

/** The request log: requests with their responses and refusals. */
export interface Requests {
  /**
   * Lists the requests that the log keeps, newest first. Reads of the log itself are not logged. Scope `audit:read`.
   * @param params - Filters and paging for the list of requests.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const loggedRequest of platform.requests.list()) console.log(loggedRequest);
   */
  list(params?: api.RequestListParams, options?: ListOptions): ListCall<api.LoggedRequest>;
  /**
   * Shows a request by the X-Request-Id of its response. Some requests are not in the log: those without a valid credential, those that succeeded where only failures are kept, and those that are too old. Scope `audit:read`.
   * @param requestId - Id of the request, as in errors and the header `X-Request-Id`.
   * @throws {@link ApiError} `REQUEST_NOT_FOUND`
   * @example const loggedRequest = await platform.requests.get(requestId);
   */
  get(requestId: api.Id<'request'>, options?: CallOptions): ApiCall<api.LoggedRequest>;
}

/** All that is recorded about an id, from its cause to its effects. */
export interface TraceResource {
  /**
   * Shows all that is recorded about an id, e-mail address or slug. Each part needs the scope of its operation, `audit:read` or `webhooks:read`; `withheld` names the parts that the credential may not read.
   * @param id - An id of any kind, the e-mail address of a user, or the slug of a client or group.
   * @param params - Page of a trace.
   * @throws {@link ApiError} `TRACE_NOT_FOUND`, `INSUFFICIENT_SCOPE`, `INVALID_CURSOR`
   * @example const trace = await platform.trace.get(id);
   */
  get(id: string, params?: api.TraceParams, options?: CallOptions): ApiCall<api.Trace>;
}

/** The modules of the platform, the same for every tenant. */
export interface Modules {
  /**
   * Lists the modules of the platform, newest first. Scope `modules:read`.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const module of platform.modules.list()) console.log(module);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.Module>;
}

/** The plans of the platform, the same for every tenant. */
export interface Plans {
  /**
   * Lists the plans of the platform, newest first. Scope `plans:read`.
   * @param params - Query parameters that every list takes.
   * @throws {@link ApiError} `INVALID_CURSOR`
   * @example for await (const plan of platform.plans.list()) console.log(plan);
   */
  list(params?: api.ListParams, options?: ListOptions): ListCall<api.Plan>;
}

/** Invoices and payments, with amounts in minor units, for example cents. */
export interface Billing {
  /** Invoices of the tenant. */
  readonly invoices: BillingInvoices;
  /** Payments of invoices. */
  readonly payments: BillingPayments;
}

/** Invoices of the tenant. */
export interface BillingInvoices {
  /**
   * Lists invoices, newest first. Scope `billing:read`.
   * @param params - Filters and paging for the list of invoices.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const invoice of platform.billing.invoices.list()) console.log(invoice);
   */
  list(params?: api.InvoiceListParams, options?: ListOptions): ListCall<api.Invoice>;
  /**
   * Shows an invoice. Scope `billing:read`.
   * @param invoiceId - Id of the invoice.
   * @throws {@link ApiError} `INVOICE_NOT_FOUND`
   * @example const invoice = await platform.billing.invoices.get(invoiceId);
   */
  get(invoiceId: api.Id<'invoice'>, options?: CallOptions): ApiCall<api.Invoice>;
}

/** Payments of invoices. */
export interface BillingPayments {
  /**
   * Lists payments, newest first. Scope `billing:read`.
   * @param params - Filters and paging for the list of payments.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const payment of platform.billing.payments.list()) console.log(payment);
   */
  list(params?: api.PaymentListParams, options?: ListOptions): ListCall<api.Payment>;
}

/** Webhook endpoints, events, deliveries and replays. */
export interface Webhooks {
  /** Webhook endpoints: the URLs that receive events. */
  readonly endpoints: WebhookEndpoints;
  /** Events of the last 30 days. */
  readonly events: WebhookEvents;
  /** Deliveries: the attempts to send an event, each of which is one object. */
  readonly deliveries: WebhookDeliveries;
  /** Replays: jobs that send failed or missed events again. */
  readonly replays: WebhookReplays;
}

/** Webhook endpoints: the URLs that receive events. */
export interface WebhookEndpoints {
  /**
   * Lists webhook endpoints, newest first. Scope `webhooks:read`.
   * @param params - Filters and paging for the list of webhook endpoints.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const webhookEndpoint of platform.webhooks.endpoints.list()) console.log(webhookEndpoint);
   */
  list(params?: api.WebhookEndpointListParams, options?: ListOptions): ListCall<api.WebhookEndpoint>;
  /**
   * Creates a webhook endpoint; only this response shows its signing secret. Store the signing `secret`. Scope `webhooks:write`.
   * @param params - Fields of the webhook endpoint to create.
   * @throws {@link ApiError} `WEBHOOK_URL_IN_USE`, `WEBHOOK_ENDPOINT_LIMIT`
   * @example const webhookEndpointWithSecret = await platform.webhooks.endpoints.create({ url: 'https://example.com/webhooks', events: ['client.created', 'client.updated'] });
   */
  create(params: api.WebhookEndpointCreateParams, options?: WriteOptions): ApiCall<api.WebhookEndpointWithSecret>;
  /**
   * Shows a webhook endpoint. The secret is not part of the response. Scope `webhooks:read`.
   * @param endpointId - Id of the webhook endpoint.
   * @throws {@link ApiError} `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const webhookEndpoint = await platform.webhooks.endpoints.get(endpointId);
   */
  get(endpointId: api.Id<'webhook_endpoint'>, options?: CallOptions): ApiCall<api.WebhookEndpoint>;
  /**
   * Changes, disable or enable a webhook endpoint. `status` disables and enables the endpoint. Scope `webhooks:write`.
   * @param endpointId - Id of the webhook endpoint.
   * @param params - The fields to change. Absent fields keep their value.
   * @throws {@link ApiError} `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_IN_USE`
   * @example const webhookEndpoint = await platform.webhooks.endpoints.update(endpointId, { url: 'https://example.com/webhooks' });
   */
  update(endpointId: api.Id<'webhook_endpoint'>, params: api.WebhookEndpointUpdateParams, options?: CallOptions): ApiCall<api.WebhookEndpoint>;
  /**
   * Deletes a webhook endpoint and end its pending deliveries. Scope `webhooks:write`.
   * @param endpointId - Id of the webhook endpoint.
   * @throws {@link ApiError} `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const deletedWebhookEndpoint = await platform.webhooks.endpoints.delete(endpointId);
   */
  delete(endpointId: api.Id<'webhook_endpoint'>, options?: CallOptions): ApiCall<api.Deleted<'webhook_endpoint'>>;
  /**
   * Creates a new signing secret for a webhook endpoint. Deliveries are also signed with the old secret for `expires_in` seconds. Scope `webhooks:write`.
   * @param endpointId - Id of the webhook endpoint.
   * @param params - Options of the rotation.
   * @throws {@link ApiError} `WEBHOOK_ENDPOINT_NOT_FOUND`
   * @example const webhookEndpointWithSecret = await platform.webhooks.endpoints.rotateSecret(endpointId);
   */
  rotateSecret(endpointId: api.Id<'webhook_endpoint'>, params?: api.WebhookSecretRotateParams, options?: WriteOptions): ApiCall<api.WebhookEndpointWithSecret>;
}

/** Events of the last 30 days. */
export interface WebhookEvents {
  /**
   * Lists events of the last 30 days, newest first. The `type` of an event determines the type of its data. Scope `webhooks:read`.
   * @param params - Filters and paging for the list of events.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const platformEvent of platform.webhooks.events.list()) console.log(platformEvent);
   */
  list(params?: api.EventListParams, options?: ListOptions): ListCall<api.PlatformEvent>;
  /**
   * Shows an event. Scope `webhooks:read`.
   * @param eventId - Id of the event.
   * @throws {@link ApiError} `WEBHOOK_EVENT_NOT_FOUND`
   * @example const platformEvent = await platform.webhooks.events.get(eventId);
   */
  get(eventId: api.Id<'event'>, options?: CallOptions): ApiCall<api.PlatformEvent>;
  /**
   * Sends an event again, from attempt 1. It is sent to one endpoint, or to every enabled endpoint that is subscribed to its type. The response has all new deliveries, without pages. An endpoint that is disabled or not subscribed to the type is refused: `UNPROCESSABLE`. Scope `webhooks:write`.
   * @param eventId - Id of the event.
   * @param params - Endpoint that receives the event again.
   * @throws {@link ApiError} `WEBHOOK_EVENT_NOT_FOUND`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE`
   * @example const webhookDeliveryList = await platform.webhooks.events.replay(eventId);
   */
  replay(eventId: api.Id<'event'>, params?: api.EventReplayParams, options?: WriteOptions): ApiCall<api.List<api.WebhookDelivery>>;
}

/** Deliveries: the attempts to send an event, each of which is one object. */
export interface WebhookDeliveries {
  /**
   * Lists delivery attempts, newest first. An attempt is created when it is scheduled, which can be hours before it is made. `created_after` and `created_before` compare its `created_at`. Scope `webhooks:read`.
   * @param params - Filters and paging for the list of deliveries.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const webhookDelivery of platform.webhooks.deliveries.list()) console.log(webhookDelivery);
   */
  list(params?: api.WebhookDeliveryListParams, options?: ListOptions): ListCall<api.WebhookDelivery>;
  /**
   * Shows a delivery attempt. Scope `webhooks:read`.
   * @param deliveryId - Id of the delivery attempt.
   * @throws {@link ApiError} `WEBHOOK_DELIVERY_NOT_FOUND`
   * @example const webhookDelivery = await platform.webhooks.deliveries.get(deliveryId);
   */
  get(deliveryId: api.Id<'webhook_delivery'>, options?: CallOptions): ApiCall<api.WebhookDelivery>;
}

/** Replays: jobs that send failed or missed events again. */
export interface WebhookReplays {
  /**
   * Lists replays of many events, newest first. Scope `webhooks:read`.
   * @param params - Filters and paging for the list of replays.
   * @throws {@link ApiError} `INVALID_CURSOR`, `INVALID_REQUEST`
   * @example for await (const webhookReplay of platform.webhooks.replays.list()) console.log(webhookReplay);
   */
  list(params?: api.WebhookReplayListParams, options?: ListOptions): ListCall<api.WebhookReplay>;
  /**
   * Sends the failed or missed events of a time window again. They are sent to one endpoint or to every enabled one. The creation time of the events is limited by `since` and `until`. A time window that is empty or in the future is an `INVALID_BODY`. The response does not wait for the deliveries: the replay shows its progress. A disabled endpoint is refused, and so is a sixth replay beside five that have not ended: `UNPROCESSABLE`. Scope `webhooks:write`.
   * @param params - The events to send again, and the endpoint that receives them.
   * @throws {@link ApiError} `WEBHOOK_ENDPOINT_NOT_FOUND`, `UNPROCESSABLE`
   * @example const webhookReplay = await platform.webhooks.replays.create({ since: '2026-01-31T12:00:00.000Z' });
   */
  create(params: api.WebhookReplayCreateParams, options?: WriteOptions): ApiCall<api.WebhookReplay>;
  /**
   * Shows a replay with its progress. Scope `webhooks:read`.
   * @param replayId - Id of the replay.
   * @throws {@link ApiError} `WEBHOOK_REPLAY_NOT_FOUND`
   * @example const webhookReplay = await platform.webhooks.replays.get(replayId);
   */
  get(replayId: api.Id<'webhook_replay'>, options?: CallOptions): ApiCall<api.WebhookReplay>;
  /**
   * Cancels a replay; scheduled deliveries are still sent. A replay that has ended is refused: `UNPROCESSABLE`. Scope `webhooks:write`.
   * @param replayId - Id of the replay.
   * @throws {@link ApiError} `WEBHOOK_REPLAY_NOT_FOUND`, `UNPROCESSABLE`
   * @example const webhookReplay = await platform.webhooks.replays.cancel(replayId);
   */
  cancel(replayId: api.Id<'webhook_replay'>, options?: WriteOptions): ApiCall<api.WebhookReplay>;
}

/** One property for each resource family of a client. */
export class PlatformResources extends ApiClient {
  /** The credential of the caller: its tenant, type and scopes. */
  readonly me: MeResource;
  /** Clients: the customers of the tenant, and their locations. */
  readonly clients: Clients;
  /** Groups of clients, with their members, owners and locations. */
  readonly groups: Groups;
  /** Users of the tenant, their invitations and their roles. */
  readonly users: Users;
  /** The tenant of the credential. */
  readonly tenant: TenantResource;
  /** Settings of the tenant. */
  readonly settings: SettingsResource;
  /** Roles: the capabilities that are visible to their users. */
  readonly roles: Roles;
  /** The audit trail. */
  readonly audit: Audit;
  /** The request log: requests with their responses and refusals. */
  readonly requests: Requests;
  /** All that is recorded about an id, from its cause to its effects. */
  readonly trace: TraceResource;
  /** The modules of the platform, the same for every tenant. */
  readonly modules: Modules;
  /** The plans of the platform, the same for every tenant. */
  readonly plans: Plans;
  /** Invoices and payments, with amounts in minor units, for example cents. */
  readonly billing: Billing;
  /** Webhook endpoints, events, deliveries and replays. */
  readonly webhooks: Webhooks;

  /** @internal */
  protected constructor(engine: Engine) {
    super(engine);
    const resources = createResources(engine, PLATFORM_TABLE);
    this.me = resources.me;
    this.clients = resources.clients;
    this.groups = resources.groups;
    this.users = resources.users;
    this.tenant = resources.tenant;
    this.settings = resources.settings;
    this.roles = resources.roles;
    this.audit = resources.audit;
    this.requests = resources.requests;
    this.trace = resources.trace;
    this.modules = resources.modules;
    this.plans = resources.plans;
    this.billing = resources.billing;
    this.webhooks = resources.webhooks;
  }
}
