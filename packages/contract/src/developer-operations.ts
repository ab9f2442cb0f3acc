import type { EventType } from './event-types.ts';
import type { FamilyOf } from './family-of.ts';
import type { OperationInfo } from './operations.ts';

/** Paths of the device login (RFC 8628). They need no token, because they issue one. */
export const DEVICE_PATHS = {
  code: '/developer/v1/device/code',
  token: '/developer/v1/device/token',
} as const;

/**
 * Every operation of the developer API, which `plat` and the SDK's `DeveloperApi` use for a logged-in developer. The API
 * accepts only developer tokens, and developer tokens open nothing else. It is not part of `/v1`. Its version is that of
 * the packages: what breaks its users waits for a major version, before 1.0.0 for a minor one (decision 078).
 */
export const DEVELOPER_OPERATIONS = {
  'me.get': read('/developer/v1/me', 'Show who is logged in'),
  'tokens.list': list('/developer/v1/tokens', 'List the logins of the account, newest first'),
  'tokens.revoke': write(
    'DELETE',
    '/developer/v1/tokens/{token_id}',
    200,
    'End a login; `current` is the login in use',
  ),

  'sandbox.get': read('/developer/v1/sandbox', 'Show the sandbox'),
  'sandbox.reset': write('POST', '/developer/v1/sandbox/reset', 200, 'Reset the sandbox to its seeded content'),

  'keys.get': read('/developer/v1/keys', "Show the sandbox's API key, without its text"),
  'keys.mint': write(
    'POST',
    '/developer/v1/keys',
    201,
    'Create the API key of the sandbox; it replaces the current key, at once or after a chosen time',
  ),
  'keys.revoke': write('DELETE', '/developer/v1/keys', 200, 'Revoke the API key of the sandbox'),
  'keys.revoke_previous': write(
    'DELETE',
    '/developer/v1/keys/previous',
    200,
    'Revoke the previous API key before it expires; the current key stays valid',
  ),

  'apps.list': list('/developer/v1/apps', 'List OAuth apps, newest first'),
  'apps.register': write(
    'POST',
    '/developer/v1/apps',
    201,
    'Register an OAuth app; only this response shows its secret',
  ),
  'apps.get': read('/developer/v1/apps/{app_id}', 'Show an OAuth app'),
  'apps.update': write('PATCH', '/developer/v1/apps/{app_id}', 200, 'Change an OAuth app'),
  'apps.rotate_secret': write(
    'POST',
    '/developer/v1/apps/{app_id}/rotate_secret',
    200,
    'Create a new secret for an OAuth app; only this response shows it',
  ),
  'apps.revoke_previous_secret': write(
    'DELETE',
    '/developer/v1/apps/{app_id}/previous_secret',
    200,
    'Revoke the previous secret of an OAuth app before it expires; the current secret stays valid',
  ),
  'apps.disable': write(
    'POST',
    '/developer/v1/apps/{app_id}/disable',
    200,
    'Disable an OAuth app: it receives no tokens, and every consent to it ends',
  ),
  'apps.enable': write(
    'POST',
    '/developer/v1/apps/{app_id}/enable',
    200,
    'Enable a disabled OAuth app; tenants must consent again',
  ),
  'apps.delete': write(
    'DELETE',
    '/developer/v1/apps/{app_id}',
    200,
    'Delete an OAuth app: every consent to it ends, and its id and secret stop working',
  ),
  'apps.request_verification': write(
    'POST',
    '/developer/v1/apps/{app_id}/request_verification',
    200,
    'Ask the platform to review an OAuth app, so that it works with production tenants',
  ),

  'apps.installations.list': list(
    '/developer/v1/apps/{app_id}/installations',
    'List the tenants that gave access to an OAuth app, newest first',
  ),
  'apps.installations.get': read(
    '/developer/v1/apps/{app_id}/installations/{installation_id}',
    'Show the access of an OAuth app to a tenant',
  ),

  'apps.trace.get': read(
    '/developer/v1/apps/{app_id}/trace/{id}',
    'Show the events, attempts and replays of an OAuth app that are recorded about an id',
  ),

  'apps.refusals.list': list(
    '/developer/v1/apps/{app_id}/refusals',
    'List refused requests of an OAuth app to the authorize, token, introspection and revocation endpoints, newest first',
  ),

  'apps.webhooks.endpoints.list': list(
    '/developer/v1/apps/{app_id}/webhooks/endpoints',
    'List the webhook endpoints of an OAuth app, newest first',
  ),
  'apps.webhooks.endpoints.create': write(
    'POST',
    '/developer/v1/apps/{app_id}/webhooks/endpoints',
    201,
    'Create a webhook endpoint of an OAuth app; only this response shows its secret',
  ),
  'apps.webhooks.endpoints.get': read(
    '/developer/v1/apps/{app_id}/webhooks/endpoints/{endpoint_id}',
    'Show a webhook endpoint of an OAuth app',
  ),
  'apps.webhooks.endpoints.update': write(
    'PATCH',
    '/developer/v1/apps/{app_id}/webhooks/endpoints/{endpoint_id}',
    200,
    'Change, enable or disable a webhook endpoint of an OAuth app',
  ),
  'apps.webhooks.endpoints.delete': write(
    'DELETE',
    '/developer/v1/apps/{app_id}/webhooks/endpoints/{endpoint_id}',
    200,
    'Delete a webhook endpoint of an OAuth app',
  ),
  'apps.webhooks.endpoints.rotate_secret': write(
    'POST',
    '/developer/v1/apps/{app_id}/webhooks/endpoints/{endpoint_id}/rotate_secret',
    200,
    'Create a new signing secret for a webhook endpoint of an OAuth app; only this response shows it',
  ),
  'apps.webhooks.events.list': list(
    '/developer/v1/apps/{app_id}/webhooks/events',
    'List the events of an OAuth app of the last 30 days, newest first',
  ),
  'apps.webhooks.events.get': read(
    '/developer/v1/apps/{app_id}/webhooks/events/{event_id}',
    'Show an event of an OAuth app',
  ),
  'apps.webhooks.events.replay': write(
    'POST',
    '/developer/v1/apps/{app_id}/webhooks/events/{event_id}/replay',
    202,
    'Send an event of an OAuth app again, with seven new attempts',
  ),
  'apps.webhooks.deliveries.list': list(
    '/developer/v1/apps/{app_id}/webhooks/deliveries',
    'List the delivery attempts of an OAuth app, newest first',
  ),
  'apps.webhooks.deliveries.get': read(
    '/developer/v1/apps/{app_id}/webhooks/deliveries/{delivery_id}',
    'Show a delivery attempt of an OAuth app',
  ),
  'apps.webhooks.replays.list': list(
    '/developer/v1/apps/{app_id}/webhooks/replays',
    'List the replays of an OAuth app, newest first',
  ),
  'apps.webhooks.replays.create': write(
    'POST',
    '/developer/v1/apps/{app_id}/webhooks/replays',
    202,
    'Send many events of an OAuth app again',
  ),
  'apps.webhooks.replays.get': read(
    '/developer/v1/apps/{app_id}/webhooks/replays/{replay_id}',
    'Show a replay of an OAuth app, with its progress',
  ),
  'apps.webhooks.replays.cancel': write(
    'POST',
    '/developer/v1/apps/{app_id}/webhooks/replays/{replay_id}/cancel',
    200,
    'Stop a replay of an OAuth app; scheduled deliveries are sent',
  ),

  'consents.list': list('/developer/v1/consents', 'List what the sandbox consented to, newest first'),
  'consents.revoke': write('DELETE', '/developer/v1/consents/{consent_id}', 200, 'End a consent with all its tokens', [
    'oauth.app_revoked',
  ]),

  'launch_tokens.mint': write(
    'POST',
    '/developer/v1/launch_tokens',
    201,
    'Create a launch token for a module as a user of the sandbox; in development only',
  ),
} as const satisfies Record<string, OperationInfo>;

/** Families of the developer API with their descriptions, for the SDK and the help of the CLI. */
export const DEVELOPER_FAMILIES = {
  me: 'The developer who is logged in',
  tokens: 'Logins of the account',
  keys: "The sandbox's API key: mint, show, revoke",
  apps: 'OAuth apps: register, update, disable, delete, request verification',
  'apps.installations': 'Tenants that gave access to an app',
  'apps.trace': 'Traces of the events and deliveries of an app',
  'apps.refusals': 'Refused requests of an app to the OAuth endpoints',
  'apps.webhooks': "An app's own webhooks: endpoints, events, deliveries, replays",
  'apps.webhooks.endpoints': 'Endpoints that receive the events of an app',
  'apps.webhooks.events': 'Events of an app: list, show, replay',
  'apps.webhooks.deliveries': 'Delivery attempts of an app',
  'apps.webhooks.replays': 'Jobs that send many events of an app again',
  sandbox: 'The sandbox: show it, and reset it to its seeded content',
  consents: 'Consents of the sandbox: list and revoke',
  launch_tokens: 'Launch tokens for users of the sandbox, in development only',
} as const satisfies Readonly<Record<FamilyOf<DeveloperOperationName>, string>>;

/** Name of an operation of the developer API. */
export type DeveloperOperationName = keyof typeof DEVELOPER_OPERATIONS;

/** Commands that are not named after their operation. */
const OTHER_COMMANDS: { readonly [Name in DeveloperOperationName]?: string } = {
  'me.get': 'auth status',
  'tokens.list': 'auth list',
  'tokens.revoke': 'auth revoke',
  'launch_tokens.mint': 'launch mint',
};

/** Returns the words of the `plat` command of an operation of the developer API: `apps rotate-secret`. */
export function developerCommandWords(operation: DeveloperOperationName): readonly string[] {
  return (OTHER_COMMANDS[operation] ?? operation.replaceAll('.', ' ').replaceAll('_', '-')).split(' ');
}

// The caller is authorized by the token alone: the developer API has no scopes.

function read<P extends string>(path: P, summary: string) {
  return { method: 'GET', path, scope: null, status: 200, summary, emits: [], list: false } as const;
}

function list<P extends string>(path: P, summary: string) {
  return { method: 'GET', path, scope: null, status: 200, summary, emits: [], list: true } as const;
}

function write<M extends 'POST' | 'PATCH' | 'DELETE', P extends string, C extends 200 | 201 | 202>(
  method: M,
  path: P,
  status: C,
  summary: string,
  emits: readonly EventType[] = [],
) {
  return { method, path, scope: null, status, summary, emits, list: false } as const;
}
