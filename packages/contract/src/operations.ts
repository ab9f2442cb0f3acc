import type { EventType } from './event-types.ts';
import type { FamilyOf } from './family-of.ts';
import type { Scope } from './scopes.ts';

/** One row of {@link OPERATIONS}. */
export interface OperationInfo {
  /** HTTP method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path relative to the base URL, with parameters as `{name}`. */
  readonly path: string;
  /** Scope that the operation requires; null if any valid credential is accepted. */
  readonly scope: Scope | null;
  /** HTTP status of a successful response. */
  readonly status: 200 | 201 | 202;
  /** Summary in one line for the reference and the CLI help. */
  readonly summary: string;
  /** Event types that the operation can emit. */
  readonly emits: readonly EventType[];
  /** True if the response is a page of a list. */
  readonly list: boolean;
  /** Announcement of the removal. If set, every response of the operation carries the deprecation headers. */
  readonly deprecated?: Deprecation;
}

/** Announcement of a removal (specification, Versioning 4). Days are `YYYY-MM-DD` in UTC. */
export interface Deprecation {
  /** Day of the announcement, sent in the header `Deprecation` (RFC 9745). */
  readonly since: string;
  /** Earliest day of the removal, at least 90 days later, sent in the header `Sunset` (RFC 8594). */
  readonly sunset?: string;
  /** URL of a page that describes the replacement, sent in the header `Link` with `rel="deprecation"`. */
  readonly link?: string;
}

/** Every operation of /v1 by its name `<family>.<verb>`. Routes, SDK, CLI and docs are checked against this list. */
export const OPERATIONS = {
  'me.get': read('/v1/me', null, 'Show which tenant, type and scopes the credential has'),

  'clients.list': list('/v1/clients', 'clients:read', 'List clients, newest first'),
  'clients.create': write('POST', '/v1/clients', 'clients:write', 201, 'Create a client', ['client.created']),
  'clients.get': read('/v1/clients/{client_id}', 'clients:read', 'Show a client'),
  'clients.update': write('PATCH', '/v1/clients/{client_id}', 'clients:write', 200, 'Change a client', [
    'client.updated',
  ]),
  'clients.delete': write('DELETE', '/v1/clients/{client_id}', 'clients:write', 200, 'Delete a client (soft)', [
    'client.deleted',
  ]),
  'clients.locations.list': list(
    '/v1/clients/{client_id}/locations',
    'locations:read',
    'List the locations of a client, newest first',
  ),
  'clients.locations.create': write(
    'POST',
    '/v1/clients/{client_id}/locations',
    'locations:write',
    201,
    'Create a location of a client',
    ['location.created', 'location.updated'],
  ),
  'clients.locations.get': read(
    '/v1/clients/{client_id}/locations/{location_id}',
    'locations:read',
    'Show a location of a client',
  ),
  'clients.locations.update': write(
    'PATCH',
    '/v1/clients/{client_id}/locations/{location_id}',
    'locations:write',
    200,
    'Change a location of a client',
    ['location.updated'],
  ),
  'clients.locations.delete': write(
    'DELETE',
    '/v1/clients/{client_id}/locations/{location_id}',
    'locations:write',
    200,
    'Delete a location of a client',
    ['location.deleted'],
  ),

  'groups.list': list('/v1/groups', 'groups:read', 'List groups, newest first'),
  'groups.create': write('POST', '/v1/groups', 'groups:write', 201, 'Create a group', ['group.created']),
  'groups.get': read('/v1/groups/{group_id}', 'groups:read', 'Show a group'),
  'groups.update': write('PATCH', '/v1/groups/{group_id}', 'groups:write', 200, 'Change a group', ['group.updated']),
  'groups.delete': write(
    'DELETE',
    '/v1/groups/{group_id}',
    'groups:write',
    200,
    'Delete a group with its members, owners and locations (hard)',
    ['group.deleted'],
  ),
  'groups.members.list': list(
    '/v1/groups/{group_id}/members',
    'groups:read',
    'List the clients in a group, the newest client first',
  ),
  'groups.members.add': write('POST', '/v1/groups/{group_id}/members', 'groups:write', 201, 'Add a client to a group', [
    'group.member_added',
  ]),
  'groups.members.get': read(
    '/v1/groups/{group_id}/members/{client_id}',
    'groups:read',
    'Show the membership of a client in a group',
  ),
  'groups.members.remove': write(
    'DELETE',
    '/v1/groups/{group_id}/members/{client_id}',
    'groups:write',
    200,
    'Remove a client from a group',
    ['group.member_removed'],
  ),
  'groups.owners.list': list(
    '/v1/groups/{group_id}/owners',
    'groups:read',
    'List the owners of a group, the newest user first',
  ),
  'groups.owners.invite': write(
    'POST',
    '/v1/groups/{group_id}/owners',
    'groups:write',
    201,
    'Invite a person to own a group',
    ['group.owner_invited', 'user.invited'],
  ),
  'groups.owners.get': read('/v1/groups/{group_id}/owners/{user_id}', 'groups:read', 'Show an owner of a group'),
  'groups.owners.remove': write(
    'DELETE',
    '/v1/groups/{group_id}/owners/{user_id}',
    'groups:write',
    200,
    'Remove an owner of a group',
    ['group.owner_removed'],
  ),
  'groups.locations.list': list(
    '/v1/groups/{group_id}/locations',
    'locations:read',
    'List the locations of a group, newest first',
  ),
  'groups.locations.create': write(
    'POST',
    '/v1/groups/{group_id}/locations',
    'locations:write',
    201,
    'Create a location of a group',
    ['location.created', 'location.updated'],
  ),
  'groups.locations.get': read(
    '/v1/groups/{group_id}/locations/{location_id}',
    'locations:read',
    'Show a location of a group',
  ),
  'groups.locations.update': write(
    'PATCH',
    '/v1/groups/{group_id}/locations/{location_id}',
    'locations:write',
    200,
    'Change a location of a group',
    ['location.updated'],
  ),
  'groups.locations.delete': write(
    'DELETE',
    '/v1/groups/{group_id}/locations/{location_id}',
    'locations:write',
    200,
    'Delete a location of a group',
    ['location.deleted'],
  ),

  'users.list': list('/v1/users', 'users:read', 'List users, newest first'),
  'users.create': write('POST', '/v1/users', 'users:write', 201, 'Create a user and send the invitation', [
    'user.invited',
  ]),
  'users.get': read('/v1/users/{user_id}', 'users:read', 'Show a user'),
  'users.update': write('PATCH', '/v1/users/{user_id}', 'users:write', 200, 'Change a user', ['user.role_changed']),
  'users.invite': write(
    'POST',
    '/v1/users/{user_id}/invite',
    'users:write',
    200,
    'Send the invitation again; earlier links stop working',
    ['user.invited'],
  ),
  'users.deactivate': write(
    'POST',
    '/v1/users/{user_id}/deactivate',
    'users:write',
    200,
    'Deactivate a user permanently; the record is kept for audit',
    ['user.deactivated', 'group.owner_removed'],
  ),
  'users.delete': write(
    'DELETE',
    '/v1/users/{user_id}',
    'users:write',
    200,
    'Withdraw the invitation of a user who has not accepted it, and delete the user',
    ['group.owner_removed'],
  ),

  'tenant.get': read('/v1/tenant', 'tenant:read', 'Show the tenant'),
  'tenant.update': write('PATCH', '/v1/tenant', 'tenant:write', 200, 'Rename the tenant'),
  'settings.get': read('/v1/settings', 'settings:read', 'Show the settings of the tenant'),
  'settings.update': write('PATCH', '/v1/settings', 'settings:write', 200, 'Change the settings of the tenant'),
  'roles.list': list('/v1/roles', 'roles:read', 'List roles, newest first'),
  'roles.create': write('POST', '/v1/roles', 'roles:write', 201, 'Create a role'),
  'roles.get': read('/v1/roles/{role_id}', 'roles:read', 'Show a role'),
  'roles.update': write('PATCH', '/v1/roles/{role_id}', 'roles:write', 200, 'Change a role of the tenant'),
  'audit.events.list': list('/v1/audit/events', 'audit:read', 'List the audit trail, newest first'),
  'audit.events.get': read('/v1/audit/events/{audit_event_id}', 'audit:read', 'Show an audit event'),
  'requests.list': list('/v1/requests', 'audit:read', 'List the requests that the log keeps, newest first'),
  'requests.get': read('/v1/requests/{request_id}', 'audit:read', 'Show a request by the X-Request-Id of its response'),

  'trace.get': read('/v1/trace/{id}', null, 'Show all that is recorded about an id, e-mail address or slug'),

  'modules.list': list('/v1/modules/catalog', 'modules:read', 'List the modules of the platform, newest first'),
  'plans.list': list('/v1/plans', 'plans:read', 'List the plans of the platform, newest first'),
  'billing.invoices.list': list('/v1/billing/invoices', 'billing:read', 'List invoices, newest first'),
  'billing.invoices.get': read('/v1/billing/invoices/{invoice_id}', 'billing:read', 'Show an invoice'),
  'billing.payments.list': list('/v1/billing/payments', 'billing:read', 'List payments, newest first'),

  'webhooks.endpoints.list': list('/v1/webhooks/endpoints', 'webhooks:read', 'List webhook endpoints, newest first'),
  'webhooks.endpoints.create': write(
    'POST',
    '/v1/webhooks/endpoints',
    'webhooks:write',
    201,
    'Create a webhook endpoint; only this response shows its signing secret',
  ),
  'webhooks.endpoints.get': read('/v1/webhooks/endpoints/{endpoint_id}', 'webhooks:read', 'Show a webhook endpoint'),
  'webhooks.endpoints.update': write(
    'PATCH',
    '/v1/webhooks/endpoints/{endpoint_id}',
    'webhooks:write',
    200,
    'Change, disable or enable a webhook endpoint',
  ),
  'webhooks.endpoints.delete': write(
    'DELETE',
    '/v1/webhooks/endpoints/{endpoint_id}',
    'webhooks:write',
    200,
    'Delete a webhook endpoint and end its pending deliveries',
  ),
  'webhooks.endpoints.rotate_secret': write(
    'POST',
    '/v1/webhooks/endpoints/{endpoint_id}/rotate_secret',
    'webhooks:write',
    200,
    'Create a new signing secret for a webhook endpoint',
  ),
  'webhooks.events.list': list('/v1/webhooks/events', 'webhooks:read', 'List events of the last 30 days, newest first'),
  'webhooks.events.get': read('/v1/webhooks/events/{event_id}', 'webhooks:read', 'Show an event'),
  'webhooks.events.replay': write(
    'POST',
    '/v1/webhooks/events/{event_id}/replay',
    'webhooks:write',
    202,
    'Send an event again, from attempt 1',
  ),
  'webhooks.deliveries.list': list('/v1/webhooks/deliveries', 'webhooks:read', 'List delivery attempts, newest first'),
  'webhooks.deliveries.get': read('/v1/webhooks/deliveries/{delivery_id}', 'webhooks:read', 'Show a delivery attempt'),
  'webhooks.replays.list': list('/v1/webhooks/replays', 'webhooks:read', 'List replays of many events, newest first'),
  'webhooks.replays.create': write(
    'POST',
    '/v1/webhooks/replays',
    'webhooks:write',
    202,
    'Send the failed or missed events of a time window again',
  ),
  'webhooks.replays.get': read('/v1/webhooks/replays/{replay_id}', 'webhooks:read', 'Show a replay with its progress'),
  'webhooks.replays.cancel': write(
    'POST',
    '/v1/webhooks/replays/{replay_id}/cancel',
    'webhooks:write',
    200,
    'Cancel a replay; scheduled deliveries are still sent',
  ),
} as const satisfies Record<string, OperationInfo>;

/** Name of an operation of /v1. */
export type OperationName = keyof typeof OPERATIONS;

/** Families of operations with their descriptions, for SDK, CLI and reference. */
export const FAMILIES = {
  me: 'The credential of the caller: its tenant, type and scopes',
  clients: 'Clients: the customers of the tenant, and their locations',
  'clients.locations': 'Locations of a client, one of which is its default',
  groups: 'Groups of clients, with their members, owners and locations',
  'groups.members': 'The clients in a group, each identified by group and client',
  'groups.owners': 'The users who own a group or are invited to own it, each identified by group and user',
  'groups.locations': 'Locations of a group, one of which is its default',
  users: 'Users of the tenant, their invitations and their roles',
  tenant: 'The tenant of the credential',
  settings: 'Settings of the tenant',
  roles: 'Roles: the capabilities that are visible to their users',
  audit: 'The audit trail',
  'audit.events': 'Audit events: each change with its actor and time',
  requests: 'The request log: requests with their responses and refusals',
  trace: 'All that is recorded about an id, from its cause to its effects',
  modules: 'The modules of the platform, the same for every tenant',
  plans: 'The plans of the platform, the same for every tenant',
  billing: 'Invoices and payments, with amounts in minor units, for example cents',
  'billing.invoices': 'Invoices of the tenant',
  'billing.payments': 'Payments of invoices',
  webhooks: 'Webhook endpoints, events, deliveries and replays',
  'webhooks.endpoints': 'Webhook endpoints: the URLs that receive events',
  'webhooks.events': 'Events of the last 30 days',
  'webhooks.deliveries': 'Deliveries: the attempts to send an event, each of which is one object',
  'webhooks.replays': 'Replays: jobs that send failed or missed events again',
} as const satisfies Readonly<Record<FamilyOf<OperationName>, string>>;

function read<P extends string, S extends Scope | null>(path: P, scope: S, summary: string) {
  return { method: 'GET', path, scope, status: 200, summary, emits: [], list: false } as const;
}

function list<P extends string, S extends Scope>(path: P, scope: S, summary: string) {
  return { method: 'GET', path, scope, status: 200, summary, emits: [], list: true } as const;
}

function write<M extends 'POST' | 'PATCH' | 'DELETE', P extends string, S extends Scope, C extends 200 | 201 | 202>(
  method: M,
  path: P,
  scope: S,
  status: C,
  summary: string,
  emits: readonly EventType[] = [],
) {
  return { method, path, scope, status, summary, emits, list: false } as const;
}
