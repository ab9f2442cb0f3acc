import { TENANT_STATUSES } from '../objects/tenant.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer, created_at, deleted, field, nullable, params, times } from './objects.ts';
import { email, id, name, slug, string, time } from './texts.ts';
import { always, array, oneOf } from './values.ts';

const scope = oneOf('Scope', ALL_SCOPES, 'A scope.');

export const developerToken = answer(
  'DeveloperToken',
  'A token of the developer API: one for each login of a command line. Its text is never shown again.',
  {
    object: always('developer_token'),
    id: id('developer_token'),
    client_name: string('The purpose, as stated by the program that asked for it.', 'plat on laptop'),
    ip: nullable(string('The address that asked for it.', '203.0.113.7')),
    created_at,
    last_used_at: time('When it was last used, to the hour.'),
    expires_at: time('Moves with each use, up to a year after the login.'),
  },
);

export const deletedDeveloperToken = deleted('developer_token', 'developer_token');

export const developer = answer('Developer', 'The developer who is logged in.', {
  object: always('developer'),
  id: id('developer'),
  email: email('Where sign-in links are sent.'),
  tenant_id: id('tenant', 'The sandbox tenant.'),
  created_at,
  token: field(developerToken, 'The token of the call.'),
});

export const sandbox = answer('Sandbox', 'The sandbox of a developer.', {
  object: always('sandbox'),
  tenant_id: id('tenant'),
  name: name('Name of the tenant.', 'Sandbox'),
  status: oneOf('TenantStatus', TENANT_STATUSES, 'Access is frozen while it is `suspended`.'),
  base_url: string('Base URL of its API: the part before `/v1`.', 'https://api.example.com'),
  console_url: string('The developer console.', 'https://api.example.com/console'),
  ...times,
});

const keyFields = {
  object: always('api_key'),
  id: id('api_key'),
  tenant_id: id('tenant'),
  hint: string('Its first and last characters.', 'plat_test_...x8Qk'),
  scopes: array(scope, 'The scopes of the key.', { example: ['clients:read'] }),
  created_at,
};

export const apiKey = answer('ApiKey', 'The API key of a tenant.', keyFields);

export const apiKeyWithSecret = answer('ApiKeyWithSecret', 'The API key of a tenant with its text.', {
  ...keyFields,
  api_key: string('The key; shown in this answer only.', 'plat_test_…'),
});

export const deletedApiKey = deleted('api_key', 'api_key');

export const apiKeyMint = params('ApiKeyMintParams', 'The scopes of the key to mint.', {
  scopes: array(scope, 'The scopes of the key; all when absent.', {
    min: 1,
    max: ALL_SCOPES.length,
    example: ['clients:read'],
  }),
});

export const launchToken = answer('LaunchToken', 'A launch token that a developer minted for the sandbox.', {
  object: always('launch_token'),
  token: string('The value of the form field `launch_token` that a browser posts to `launch_url`.', 'eyJ…'),
  module: slug('Slug of the module that it is for.', 'analytics'),
  launch_url: string('The launch URL of the module.', 'http://127.0.0.1:4020/launch'),
  issuer: string('Its `iss`.', 'http://127.0.0.1:4010'),
  audience: string('Its `aud`.', 'analytics'),
  expires_at: time('When it expires.'),
});

export const launchTokenMint = params(
  'LaunchTokenMintParams',
  'The module, and the user who is launched into it.',
  {
    module: slug('Slug of the module.', 'analytics'),
    client_id: id(
      'client',
      "Client that the user enters; the user's own, or else the oldest of the sandbox, when absent.",
    ),
    user_id: id('user', 'User to launch; the owner of the sandbox when absent.'),
    group_id: id('group', 'The group that is selected; none when absent.'),
  },
  ['module'],
);
