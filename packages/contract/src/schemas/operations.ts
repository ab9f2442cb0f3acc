import type { DeveloperOperationName } from '../developer-operations.ts';
import type { ErrorCode } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { SchemaTypes } from '../schema-types.ts';

/** Title of a schema, which is also the name of its type. */
export type SchemaName = keyof SchemaTypes;

/** Schemas, error codes and details of an operation. */
export interface OperationSchemas {
  /** Schema of the query; absent if the operation takes none. */
  readonly query?: SchemaName;
  /** Schema of the body; absent if the operation takes none. */
  readonly body?: SchemaName;
  /** Schema of the response. For a list, the schema of one object. */
  readonly answer: SchemaName;
  /** Error codes of the operation, besides those that follow from its method, path and scope. */
  readonly errors?: readonly ErrorCode[];
  /** Markdown that follows the summary in the reference: rules that neither schemas nor error codes show. */
  readonly details?: string;
  /** Confirmation that clients for people ask for; absent if the effect can be undone by another operation. */
  readonly confirmation?: Confirmation;
}

/** Texts of a confirmation. The id or name of the object follows the action. */
export interface Confirmation {
  /** The action, in the imperative, without the object's name. */
  readonly action: string;
  /** The consequence, and whether it can be undone, in one or two sentences. */
  readonly consequence: string;
  /** `terminal`: no confirmation is needed without a terminal, as in a script. Always needed when absent. */
  readonly asked?: 'terminal';
}

/** Operations of a family. The compiler requires each operation of the API in exactly one family. */
export type Operations = { readonly [N in OperationName]?: OperationSchemas };

/** Schemas and error codes of each operation of the developer API. */
export const DEVELOPER_OPERATION_SCHEMAS = {
  'me.get': { answer: 'Developer' },
  'tokens.list': { query: 'ListParams', answer: 'DeveloperToken' },
  'tokens.revoke': {
    answer: 'DeletedDeveloperToken',
    errors: ['DEVELOPER_TOKEN_NOT_FOUND'],
    confirmation: { action: 'End login', consequence: 'The computer that uses it has to run plat login again.' },
  },

  'sandbox.get': { answer: 'Sandbox' },
  'sandbox.reset': {
    answer: 'Sandbox',
    confirmation: {
      action: 'Reset the sandbox',
      consequence: 'Its objects, endpoints and events are replaced by the seeded content.',
    },
  },

  'keys.get': { answer: 'ApiKey', errors: ['API_KEY_NOT_FOUND'] },
  'keys.mint': {
    body: 'ApiKeyMintParams',
    answer: 'ApiKeyWithSecret',
    confirmation: {
      action: 'Replace the API key',
      consequence: 'Without `expires_in` programs that use the current key are refused at once.',
      asked: 'terminal',
    },
  },
  'keys.revoke': {
    answer: 'DeletedApiKey',
    errors: ['API_KEY_NOT_FOUND'],
    confirmation: { action: 'Revoke the API key', consequence: 'Programs that use it are refused at once.' },
  },
  'keys.revoke_previous': {
    answer: 'ApiKey',
    errors: ['API_KEY_NOT_FOUND'],
    confirmation: { action: 'Revoke the previous API key', consequence: 'Programs that use it are refused at once.' },
  },

  'apps.list': { query: 'ListParams', answer: 'OAuthApp' },
  'apps.register': { body: 'OAuthAppCreateParams', answer: 'OAuthAppWithSecret', errors: ['APP_LIMIT'] },
  'apps.get': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND'] },
  'apps.update': { body: 'OAuthAppUpdateParams', answer: 'OAuthApp', errors: ['APP_NOT_FOUND', 'APP_NAME_PROTECTED'] },
  'apps.rotate_secret': {
    body: 'OAuthAppSecretRotateParams',
    answer: 'OAuthAppWithSecret',
    errors: ['APP_NOT_FOUND'],
    confirmation: {
      action: 'Rotate the client secret of app',
      consequence: 'Without `expires_in` the current secret stops working at once.',
      asked: 'terminal',
    },
  },
  'apps.revoke_previous_secret': {
    answer: 'OAuthApp',
    errors: ['APP_NOT_FOUND'],
    confirmation: {
      action: 'Revoke the previous client secret of app',
      consequence: 'Servers that use it are refused at once.',
    },
  },
  'apps.disable': {
    answer: 'OAuthApp',
    errors: ['APP_NOT_FOUND'],
    confirmation: {
      action: 'Disable app',
      consequence: 'Its tokens stop working at once, and tenants have to consent again.',
    },
  },
  'apps.enable': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND', 'APP_DISABLED'] },
  'apps.delete': {
    answer: 'DeletedApp',
    errors: ['APP_NOT_FOUND'],
    confirmation: { action: 'Delete app', consequence: 'It cannot be restored, and its tokens stop working at once.' },
  },
  'apps.request_verification': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND'] },

  'apps.installations.list': { query: 'InstallationListParams', answer: 'Installation', errors: ['APP_NOT_FOUND'] },
  'apps.installations.get': { answer: 'Installation', errors: ['APP_NOT_FOUND', 'INSTALLATION_NOT_FOUND'] },

  'apps.trace.get': {
    query: 'TraceParams',
    answer: 'AppTrace',
    errors: ['APP_NOT_FOUND', 'TRACE_NOT_FOUND', 'INVALID_CURSOR'],
  },

  'apps.refusals.list': { query: 'AppRefusalListParams', answer: 'AppRefusal', errors: ['APP_NOT_FOUND'] },

  'apps.webhooks.endpoints.list': {
    query: 'WebhookEndpointListParams',
    answer: 'AppWebhookEndpoint',
    errors: ['APP_NOT_FOUND'],
  },
  'apps.webhooks.endpoints.create': {
    body: 'AppWebhookEndpointCreateParams',
    answer: 'AppWebhookEndpointWithSecret',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_URL_IN_USE', 'WEBHOOK_ENDPOINT_LIMIT'],
  },
  'apps.webhooks.endpoints.get': {
    answer: 'AppWebhookEndpoint',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  },
  'apps.webhooks.endpoints.update': {
    body: 'AppWebhookEndpointUpdateParams',
    answer: 'AppWebhookEndpoint',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_IN_USE'],
  },
  'apps.webhooks.endpoints.delete': {
    answer: 'DeletedWebhookEndpoint',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    confirmation: { action: 'Delete webhook endpoint', consequence: 'Its pending deliveries are not sent.' },
  },
  'apps.webhooks.endpoints.rotate_secret': {
    body: 'WebhookSecretRotateParams',
    answer: 'AppWebhookEndpointWithSecret',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    confirmation: {
      action: 'Rotate the signing secret of webhook endpoint',
      consequence:
        'Without `expires_in` the current secret stops signing at once, and receivers that still use it refuse deliveries.',
      asked: 'terminal',
    },
  },
  'apps.webhooks.events.list': { query: 'AppEventListParams', answer: 'AppEvent', errors: ['APP_NOT_FOUND'] },
  'apps.webhooks.events.get': { answer: 'AppEvent', errors: ['APP_NOT_FOUND', 'WEBHOOK_EVENT_NOT_FOUND'] },
  'apps.webhooks.events.replay': {
    body: 'EventReplayParams',
    answer: 'AppWebhookDeliveryList',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_EVENT_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
  },
  'apps.webhooks.deliveries.list': {
    query: 'WebhookDeliveryListParams',
    answer: 'AppWebhookDelivery',
    errors: ['APP_NOT_FOUND'],
  },
  'apps.webhooks.deliveries.get': {
    answer: 'AppWebhookDelivery',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  },
  'apps.webhooks.replays.list': {
    query: 'WebhookReplayListParams',
    answer: 'AppWebhookReplay',
    errors: ['APP_NOT_FOUND'],
  },
  'apps.webhooks.replays.create': {
    body: 'AppWebhookReplayCreateParams',
    answer: 'AppWebhookReplay',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'UNPROCESSABLE'],
  },
  'apps.webhooks.replays.get': { answer: 'AppWebhookReplay', errors: ['APP_NOT_FOUND', 'WEBHOOK_REPLAY_NOT_FOUND'] },
  'apps.webhooks.replays.cancel': {
    answer: 'AppWebhookReplay',
    errors: ['APP_NOT_FOUND', 'WEBHOOK_REPLAY_NOT_FOUND', 'UNPROCESSABLE'],
  },

  'consents.list': { query: 'ListParams', answer: 'OAuthConsent' },
  'consents.revoke': {
    answer: 'DeletedConsent',
    errors: ['CONSENT_NOT_FOUND'],
    confirmation: { action: 'Revoke consent', consequence: "The app's tokens for this tenant stop working at once." },
  },

  'launch_tokens.mint': {
    body: 'LaunchTokenMintParams',
    answer: 'LaunchToken',
    errors: [
      'FORBIDDEN',
      'MODULE_NOT_FOUND',
      'MODULE_NOT_LAUNCHABLE',
      'CLIENT_NOT_FOUND',
      'USER_NOT_FOUND',
      'GROUP_NOT_FOUND',
      'UNPROCESSABLE',
    ],
  },
} as const satisfies Readonly<Record<DeveloperOperationName, OperationSchemas>>;
