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
}

/** Operations of a family. The compiler requires each operation of the API in exactly one family. */
export type Operations = { readonly [N in OperationName]?: OperationSchemas };

/** Schemas and error codes of each operation of the developer API. */
export const DEVELOPER_OPERATION_SCHEMAS = {
  'me.get': { answer: 'Developer' },
  'tokens.list': { query: 'ListParams', answer: 'DeveloperToken' },
  'tokens.revoke': { answer: 'DeletedDeveloperToken', errors: ['DEVELOPER_TOKEN_NOT_FOUND'] },

  'sandbox.get': { answer: 'Sandbox' },
  'sandbox.reset': { answer: 'Sandbox' },

  'keys.get': { answer: 'ApiKey', errors: ['API_KEY_NOT_FOUND'] },
  'keys.mint': { body: 'ApiKeyMintParams', answer: 'ApiKeyWithSecret' },
  'keys.revoke': { answer: 'DeletedApiKey', errors: ['API_KEY_NOT_FOUND'] },

  'apps.list': { query: 'ListParams', answer: 'OAuthApp' },
  'apps.register': { body: 'OAuthAppCreateParams', answer: 'OAuthAppWithSecret', errors: ['APP_LIMIT'] },
  'apps.get': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND'] },
  'apps.update': { body: 'OAuthAppUpdateParams', answer: 'OAuthApp', errors: ['APP_NOT_FOUND', 'APP_NAME_PROTECTED'] },
  'apps.rotate_secret': { body: 'OAuthAppSecretRotateParams', answer: 'OAuthAppWithSecret', errors: ['APP_NOT_FOUND'] },
  'apps.disable': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND'] },
  'apps.enable': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND', 'APP_DISABLED'] },
  'apps.delete': { answer: 'DeletedApp', errors: ['APP_NOT_FOUND'] },
  'apps.request_verification': { answer: 'OAuthApp', errors: ['APP_NOT_FOUND'] },

  'consents.list': { query: 'ListParams', answer: 'OAuthConsent' },
  'consents.revoke': { answer: 'DeletedConsent', errors: ['CONSENT_NOT_FOUND'] },

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
