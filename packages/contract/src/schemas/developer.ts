import { LIMITS } from '../limits.ts';
import { TENANT_STATUSES } from '../objects/tenant.ts';
import { ALL_SCOPES } from '../scopes.ts';
import { answer, created_at, deleted, field, nullable, params, times } from './objects.ts';
import { email, id, name, slug, string, time } from './texts.ts';
import { always, array, integer, oneOf } from './values.ts';

const scope = oneOf('Scope', ALL_SCOPES, 'A scope.');

export const developerToken = answer(
  'DeveloperToken',
  'A token of the developer API. Each login of the command line creates one. The token itself is shown only at login.',
  {
    object: always('developer_token'),
    id: id('developer_token'),
    client_name: string('Name that the program gave when it requested the token.', 'plat on laptop'),
    ip: nullable(string('IP address from which the token was requested.', '203.0.113.7')),
    created_at,
    last_used_at: time('Time of the last use, rounded to the hour.'),
    expires_at: time('Expiry time. Each use extends it, up to one year after the login.'),
  },
);

export const deletedDeveloperToken = deleted('developer_token', 'developer_token');

export const developer = answer('Developer', 'The developer to whom the token belongs.', {
  object: always('developer'),
  id: id('developer'),
  email: email('E-mail address of the developer, which receives the sign-in links.'),
  tenant_id: id('tenant', 'Id of the sandbox tenant of the developer.'),
  created_at,
  token: field(developerToken, 'The token that authenticates the call.'),
});

export const sandbox = answer('Sandbox', 'The sandbox tenant of a developer.', {
  object: always('sandbox'),
  tenant_id: id('tenant'),
  name: name('Name of the tenant.', 'Sandbox'),
  status: oneOf('TenantStatus', TENANT_STATUSES, 'Status of the tenant. Access is frozen while it is `suspended`.'),
  base_url: string('Base URL of the API: the part before `/v1`.', 'https://api.example.com'),
  console_url: string('URL of the developer console.', 'https://api.example.com/console'),
  ...times,
});

const lastUseOfKey = nullable(
  time('Time of the last request with the key, at most a minute late; null if none is recorded.'),
);

const hint = string('First and last characters of the key, to recognize it.', 'plat_test_...x8Qk');

export const previousApiKey = answer('PreviousApiKey', 'A replaced API key that is still valid for a while.', {
  object: always('previous_api_key'),
  id: id('api_key'),
  hint,
  last_used_at: lastUseOfKey,
  expires_at: time('Time from which the key is refused.'),
});

const keyFields = {
  object: always('api_key'),
  id: id('api_key'),
  tenant_id: id('tenant'),
  hint,
  scopes: array(scope, 'Scopes of the key.', { example: ['clients:read'] }),
  created_at,
  last_used_at: lastUseOfKey,
  previous_key: nullable(
    field(previousApiKey, 'The key that this one replaced, while it is still valid; null if there is none.'),
  ),
};

export const apiKey = answer('ApiKey', 'The API key of a tenant.', keyFields);

export const apiKeyWithSecret = answer('ApiKeyWithSecret', 'The API key of a tenant, including the key itself.', {
  ...keyFields,
  api_key: string('The API key. It is shown in this response only.', 'plat_test_…'),
});

export const deletedApiKey = deleted('api_key', 'api_key');

export const apiKeyMint = params(
  'ApiKeyMintParams',
  'Scopes of the API key to create, and the time for which the key that it replaces stays valid.',
  {
    scopes: array(scope, 'Scopes of the key; all scopes when absent.', {
      min: 1,
      max: ALL_SCOPES.length,
      example: ['clients:read'],
    }),
    expires_in: integer(
      0,
      LIMITS.apiKeyOverlapSeconds,
      'Seconds for which the current key is accepted besides the new one; 0 when absent. An older key that is still valid expires at once.',
      86_400,
    ),
  },
);

export const launchToken = answer('LaunchToken', 'A launch token that a developer created for the sandbox.', {
  object: always('launch_token'),
  token: string('The value of the form field `launch_token` that a browser posts to `launch_url`.', 'eyJ…'),
  module: slug('Slug of the module that the token opens.', 'analytics'),
  launch_url: string('The launch URL of the module.', 'http://127.0.0.1:4020/launch'),
  issuer: string('Issuer of the token (`iss`).', 'http://127.0.0.1:4010'),
  audience: string('Audience of the token (`aud`).', 'analytics'),
  expires_at: time('Expiry time of the token.'),
});

export const launchTokenMint = params(
  'LaunchTokenMintParams',
  'The module to launch, and the user, client and group of the token.',
  {
    module: slug('Slug of the module.', 'analytics'),
    client_id: id(
      'client',
      'Client that the user enters. When absent: the client of the user, or else the oldest client of the sandbox.',
    ),
    user_id: id('user', 'User of the token; the owner of the sandbox when absent.'),
    group_id: id('group', 'Selected group; none when absent.'),
  },
  ['module'],
);
