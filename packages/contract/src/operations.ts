import type { EventType, PlatformEvent } from './events.ts';
import type { Client, ClientCreateParams, ClientListParams, ClientUpdateParams } from './objects/client.ts';
import type { Deleted, List } from './objects/list.ts';
import type { Me } from './objects/me.ts';
import type {
  EventListParams,
  WebhookDelivery,
  WebhookDeliveryListParams,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointListParams,
  WebhookEndpointUpdateParams,
  WebhookEndpointWithSecret,
  WebhookSecretRotateParams,
} from './objects/webhook.ts';
import type { Scope } from './scopes.ts';

/** One row of {@link OPERATIONS}. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the base URL's origin, parameters as `{name}`. */
  readonly path: string;
  /** The scope it needs; null: any valid credential. */
  readonly scope: Scope | null;
  /** Status of the successful answer. */
  readonly status: 200 | 201 | 202;
  readonly summary: string;
  /** Event types that the operation can emit. */
  readonly emits: readonly EventType[];
  /** Whether the answer is a page of a list. */
  readonly list: boolean;
  /** Set once it is announced that the operation will go: every answer of it then says so. */
  readonly deprecated?: Deprecation;
}

/** The announcement that something will be removed (specification, Versioning 4). Days are `YYYY-MM-DD`, UTC. */
export interface Deprecation {
  /** The day of the announcement: the header `Deprecation` (RFC 9745). */
  readonly since: string;
  /** The day from which it may be gone, at least 90 days later: the header `Sunset` (RFC 8594). */
  readonly sunset?: string;
  /** A page that says what to do instead: the header `Link` with `rel="deprecation"`. */
  readonly link?: string;
}

/** Every operation of /v1, by its name `<family>.<verb>`: the one list that routes, SDK, CLI and docs are held against. */
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

  'webhooks.endpoints.list': list('/v1/webhooks/endpoints', 'webhooks:read', 'List webhook endpoints, newest first'),
  'webhooks.endpoints.create': write(
    'POST',
    '/v1/webhooks/endpoints',
    'webhooks:write',
    201,
    'Create a webhook endpoint; the answer alone shows its signing secret',
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
    'Delete a webhook endpoint; its pending deliveries end',
  ),
  'webhooks.endpoints.rotate_secret': write(
    'POST',
    '/v1/webhooks/endpoints/{endpoint_id}/rotate_secret',
    'webhooks:write',
    200,
    'Give a webhook endpoint a new signing secret',
  ),
  'webhooks.events.list': list('/v1/webhooks/events', 'webhooks:read', 'List events of the last 30 days, newest first'),
  'webhooks.events.get': read('/v1/webhooks/events/{event_id}', 'webhooks:read', 'Show an event'),
  'webhooks.deliveries.list': list('/v1/webhooks/deliveries', 'webhooks:read', 'List delivery attempts, newest first'),
  'webhooks.deliveries.get': read('/v1/webhooks/deliveries/{delivery_id}', 'webhooks:read', 'Show a delivery attempt'),
} as const satisfies Record<string, OperationInfo>;

/** The name of an operation of /v1. */
export type OperationName = keyof typeof OPERATIONS;

/** Operation → its path parameters, query, body and answer. `never` where it takes none. */
export interface OperationTypes {
  'me.get': Shape<never, never, never, Me>;

  'clients.list': Shape<never, ClientListParams, never, List<Client>>;
  'clients.create': Shape<never, never, ClientCreateParams, Client>;
  'clients.get': Shape<'client_id', never, never, Client>;
  'clients.update': Shape<'client_id', never, ClientUpdateParams, Client>;
  'clients.delete': Shape<'client_id', never, never, Deleted<'client'>>;

  'webhooks.endpoints.list': Shape<never, WebhookEndpointListParams, never, List<WebhookEndpoint>>;
  'webhooks.endpoints.create': Shape<never, never, WebhookEndpointCreateParams, WebhookEndpointWithSecret>;
  'webhooks.endpoints.get': Shape<'endpoint_id', never, never, WebhookEndpoint>;
  'webhooks.endpoints.update': Shape<'endpoint_id', never, WebhookEndpointUpdateParams, WebhookEndpoint>;
  'webhooks.endpoints.delete': Shape<'endpoint_id', never, never, Deleted<'webhook_endpoint'>>;
  'webhooks.endpoints.rotate_secret': Shape<'endpoint_id', never, WebhookSecretRotateParams, WebhookEndpointWithSecret>;
  'webhooks.events.list': Shape<never, EventListParams, never, List<PlatformEvent>>;
  'webhooks.events.get': Shape<'event_id', never, never, PlatformEvent>;
  'webhooks.deliveries.list': Shape<never, WebhookDeliveryListParams, never, List<WebhookDelivery>>;
  'webhooks.deliveries.get': Shape<'delivery_id', never, never, WebhookDelivery>;
}

/** What an operation takes and answers. */
export interface Shape<P extends string, Q, B, R> {
  readonly path: Readonly<Record<P, string>>;
  readonly query: Q;
  readonly body: B;
  readonly response: R;
}

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
