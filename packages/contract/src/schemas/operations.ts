import type { DeveloperOperationName } from '../developer-operations.ts';
import type { OperationName } from '../operations.ts';
import type { SchemaTypes } from '../schema-types.ts';

/** Title of a schema, which is also the name of its type. */
export type SchemaName = keyof SchemaTypes;

/** Titles of the schemas that an operation uses. */
export interface OperationSchemas {
  /** Schema of the query; absent if the operation takes none. */
  readonly query?: SchemaName;
  /** Schema of the body; absent if the operation takes none. */
  readonly body?: SchemaName;
  /** Schema of the response. For a list, the schema of one object. */
  readonly answer: SchemaName;
}

/**
 * Query, body and response schemas of each operation of /v1. The types of the operations are derived from them. They
 * are separate from `OPERATIONS` so that SDK bundles do not include them.
 */
export const OPERATION_SCHEMAS = {
  'me.get': { answer: 'Me' },

  'clients.list': { query: 'ClientListParams', answer: 'Client' },
  'clients.create': { body: 'ClientCreateParams', answer: 'Client' },
  'clients.get': { answer: 'Client' },
  'clients.update': { body: 'ClientUpdateParams', answer: 'Client' },
  'clients.delete': { answer: 'DeletedClient' },

  'clients.locations.list': { query: 'ListParams', answer: 'Location' },
  'clients.locations.create': { body: 'LocationCreateParams', answer: 'Location' },
  'clients.locations.get': { answer: 'Location' },
  'clients.locations.update': { body: 'LocationUpdateParams', answer: 'Location' },
  'clients.locations.delete': { answer: 'DeletedLocation' },

  'groups.list': { query: 'ListParams', answer: 'Group' },
  'groups.create': { body: 'GroupCreateParams', answer: 'Group' },
  'groups.get': { answer: 'Group' },
  'groups.update': { body: 'GroupUpdateParams', answer: 'Group' },
  'groups.delete': { answer: 'DeletedGroup' },
  'groups.members.list': { query: 'GroupMemberListParams', answer: 'GroupMember' },
  'groups.members.add': { body: 'GroupMemberAddParams', answer: 'GroupMember' },
  'groups.members.get': { answer: 'GroupMember' },
  'groups.members.remove': { answer: 'DeletedGroupMember' },
  'groups.owners.list': { query: 'ListParams', answer: 'GroupOwner' },
  'groups.owners.invite': { body: 'GroupOwnerInviteParams', answer: 'GroupOwner' },
  'groups.owners.get': { answer: 'GroupOwner' },
  'groups.owners.remove': { answer: 'DeletedGroupOwner' },
  'groups.locations.list': { query: 'ListParams', answer: 'Location' },
  'groups.locations.create': { body: 'LocationCreateParams', answer: 'Location' },
  'groups.locations.get': { answer: 'Location' },
  'groups.locations.update': { body: 'LocationUpdateParams', answer: 'Location' },
  'groups.locations.delete': { answer: 'DeletedLocation' },

  'users.list': { query: 'UserListParams', answer: 'User' },
  'users.create': { body: 'UserCreateParams', answer: 'User' },
  'users.get': { answer: 'User' },
  'users.update': { body: 'UserUpdateParams', answer: 'User' },
  'users.invite': { answer: 'User' },
  'users.deactivate': { answer: 'User' },
  'users.delete': { answer: 'DeletedUser' },

  'tenant.get': { answer: 'Tenant' },
  'tenant.update': { body: 'TenantUpdateParams', answer: 'Tenant' },
  'settings.get': { answer: 'Settings' },
  'settings.update': { body: 'SettingsUpdateParams', answer: 'Settings' },
  'roles.list': { query: 'ListParams', answer: 'Role' },
  'roles.create': { body: 'RoleCreateParams', answer: 'Role' },
  'roles.get': { answer: 'Role' },
  'roles.update': { body: 'RoleUpdateParams', answer: 'Role' },
  'audit.events.list': { query: 'AuditEventListParams', answer: 'AuditEvent' },
  'audit.events.get': { answer: 'AuditEvent' },
  'requests.list': { query: 'RequestListParams', answer: 'LoggedRequest' },
  'requests.get': { answer: 'LoggedRequest' },

  'trace.get': { query: 'TraceParams', answer: 'Trace' },

  'modules.list': { query: 'ListParams', answer: 'Module' },
  'plans.list': { query: 'ListParams', answer: 'Plan' },
  'billing.invoices.list': { query: 'InvoiceListParams', answer: 'Invoice' },
  'billing.invoices.get': { answer: 'Invoice' },
  'billing.payments.list': { query: 'PaymentListParams', answer: 'Payment' },

  'webhooks.endpoints.list': { query: 'WebhookEndpointListParams', answer: 'WebhookEndpoint' },
  'webhooks.endpoints.create': { body: 'WebhookEndpointCreateParams', answer: 'WebhookEndpointWithSecret' },
  'webhooks.endpoints.get': { answer: 'WebhookEndpoint' },
  'webhooks.endpoints.update': { body: 'WebhookEndpointUpdateParams', answer: 'WebhookEndpoint' },
  'webhooks.endpoints.delete': { answer: 'DeletedWebhookEndpoint' },
  'webhooks.endpoints.rotate_secret': { body: 'WebhookSecretRotateParams', answer: 'WebhookEndpointWithSecret' },
  'webhooks.events.list': { query: 'EventListParams', answer: 'PlatformEvent' },
  'webhooks.events.get': { answer: 'PlatformEvent' },
  'webhooks.events.replay': { body: 'EventReplayParams', answer: 'WebhookDeliveryList' },
  'webhooks.deliveries.list': { query: 'WebhookDeliveryListParams', answer: 'WebhookDelivery' },
  'webhooks.deliveries.get': { answer: 'WebhookDelivery' },
  'webhooks.replays.list': { query: 'WebhookReplayListParams', answer: 'WebhookReplay' },
  'webhooks.replays.create': { body: 'WebhookReplayCreateParams', answer: 'WebhookReplay' },
  'webhooks.replays.get': { answer: 'WebhookReplay' },
  'webhooks.replays.cancel': { answer: 'WebhookReplay' },
} as const satisfies Readonly<Record<OperationName, OperationSchemas>>;

/** Query, body and response schemas of each operation of the developer API. */
export const DEVELOPER_OPERATION_SCHEMAS = {
  'me.get': { answer: 'Developer' },
  'tokens.list': { query: 'ListParams', answer: 'DeveloperToken' },
  'tokens.revoke': { answer: 'DeletedDeveloperToken' },

  'sandbox.get': { answer: 'Sandbox' },
  'sandbox.reset': { answer: 'Sandbox' },

  'keys.get': { answer: 'ApiKey' },
  'keys.mint': { body: 'ApiKeyMintParams', answer: 'ApiKeyWithSecret' },
  'keys.revoke': { answer: 'DeletedApiKey' },

  'apps.list': { query: 'ListParams', answer: 'OAuthApp' },
  'apps.register': { body: 'OAuthAppCreateParams', answer: 'OAuthAppWithSecret' },
  'apps.get': { answer: 'OAuthApp' },
  'apps.update': { body: 'OAuthAppUpdateParams', answer: 'OAuthApp' },
  'apps.rotate_secret': { body: 'OAuthAppSecretRotateParams', answer: 'OAuthAppWithSecret' },
  'apps.disable': { answer: 'OAuthApp' },
  'apps.enable': { answer: 'OAuthApp' },
  'apps.delete': { answer: 'DeletedApp' },
  'apps.request_verification': { answer: 'OAuthApp' },
  'apps.installations.list': { query: 'InstallationListParams', answer: 'Installation' },
  'apps.webhooks.endpoints.list': { query: 'WebhookEndpointListParams', answer: 'AppWebhookEndpoint' },
  'apps.webhooks.endpoints.create': { body: 'AppWebhookEndpointCreateParams', answer: 'AppWebhookEndpointWithSecret' },
  'apps.webhooks.endpoints.get': { answer: 'AppWebhookEndpoint' },
  'apps.webhooks.endpoints.update': { body: 'AppWebhookEndpointUpdateParams', answer: 'AppWebhookEndpoint' },
  'apps.webhooks.endpoints.delete': { answer: 'DeletedWebhookEndpoint' },
  'apps.webhooks.endpoints.rotate_secret': {
    body: 'WebhookSecretRotateParams',
    answer: 'AppWebhookEndpointWithSecret',
  },
  'apps.webhooks.events.list': { query: 'AppEventListParams', answer: 'AppEvent' },
  'apps.webhooks.events.get': { answer: 'AppEvent' },
  'apps.webhooks.events.replay': { body: 'EventReplayParams', answer: 'AppWebhookDeliveryList' },
  'apps.webhooks.deliveries.list': { query: 'WebhookDeliveryListParams', answer: 'AppWebhookDelivery' },
  'apps.webhooks.deliveries.get': { answer: 'AppWebhookDelivery' },
  'apps.webhooks.replays.list': { query: 'WebhookReplayListParams', answer: 'AppWebhookReplay' },
  'apps.webhooks.replays.create': { body: 'AppWebhookReplayCreateParams', answer: 'AppWebhookReplay' },
  'apps.webhooks.replays.get': { answer: 'AppWebhookReplay' },
  'apps.webhooks.replays.cancel': { answer: 'AppWebhookReplay' },

  'consents.list': { query: 'ListParams', answer: 'OAuthConsent' },
  'consents.revoke': { answer: 'DeletedConsent' },

  'launch_tokens.mint': { body: 'LaunchTokenMintParams', answer: 'LaunchToken' },
} as const satisfies Readonly<Record<DeveloperOperationName, OperationSchemas>>;
