import {
  ALL_SCOPES,
  type ApiKey,
  type ApiKeyMintParams,
  type ApiKeyWithSecret,
  type Developer,
  type DeveloperToken,
  type ListParams,
  type Sandbox,
  TENANT_STATUSES,
} from '@plat/contract';
import {
  array,
  deleted,
  describe,
  email,
  type Fields,
  id,
  listFields,
  name,
  nullable,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from '../http/rules.ts';

const token = describe(
  object<DeveloperToken>('DeveloperToken', {
    object: oneOf(['developer_token']),
    id: id('developer_token'),
    client_name: describe(string(), 'What it is for, as the program that asked for it said.', 'plat on laptop'),
    ip: describe(nullable(string()), 'The address that asked for it.', '203.0.113.7'),
    created_at: timestamp(),
    last_used_at: describe(timestamp(), 'When it was last used, to the hour.'),
    expires_at: describe(timestamp(), 'Moves with each use, up to a year after the login.'),
  }),
  'A login of a command line.',
);
export const developerToken = token;
export const deletedToken = deleted('developer_token', 'developer_token');
export const anyList = object<ListParams>(listFields);

export const developer = describe(
  object<Developer>('Developer', {
    object: oneOf(['developer']),
    id: id('developer'),
    email: describe(email(), 'Where links to sign in are sent.'),
    tenant_id: describe(id('tenant'), 'The sandbox tenant.'),
    created_at: timestamp(),
    token: describe(token, 'What the call came with.'),
  }),
  'The developer who is logged in.',
);

export const sandbox = describe(
  object<Sandbox>('Sandbox', {
    object: oneOf(['sandbox']),
    tenant_id: id('tenant'),
    name: describe(name(), 'What the tenant is called.', 'Sandbox'),
    status: describe(oneOf(TENANT_STATUSES), 'Whether it can be used.'),
    base_url: describe(string(), 'What comes before `/v1`.', 'https://api.example.com'),
    console_url: describe(string(), 'The developer console.', 'https://api.example.com/console'),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'The sandbox of a developer.',
);

const keyFields: Fields<ApiKey> = {
  object: oneOf(['api_key']),
  id: id('api_key'),
  tenant_id: id('tenant'),
  hint: describe(string(), 'How it begins and ends.', 'plat_test_...x8Qk'),
  scopes: describe(array(oneOf(ALL_SCOPES)), 'What it may do.', ['clients:read']),
  created_at: timestamp(),
};
export const apiKey = describe(object<ApiKey>('ApiKey', keyFields), 'The API key of a tenant.');
export const apiKeyWithSecret = describe(
  object<ApiKeyWithSecret>('ApiKeyWithSecret', {
    ...keyFields,
    api_key: describe(string(), 'The key; shown in this answer only.', 'plat_test_…'),
  }),
  'The API key of a tenant with its text.',
);
export const keyMint = describe(
  object<ApiKeyMintParams>('ApiKeyMint', {
    scopes: optional(
      describe(array(oneOf(ALL_SCOPES), { min: 1, max: ALL_SCOPES.length }), 'What the key may do; all when absent.', [
        'clients:read',
      ]),
    ),
  }),
  'What the key may do.',
);
export const deletedKey = deleted('api_key', 'api_key');
