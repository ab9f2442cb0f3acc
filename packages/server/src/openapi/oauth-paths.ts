import {
  authorizationServerMetadata,
  DEVICE_PATHS,
  type ErrorCode,
  LIMITS,
  OAUTH_PATHS,
  protectedResourceMetadata,
} from '@plat/contract';
import { type JsonSchema, SCHEMAS } from '@plat/contract/schemas';
import { exampleOf } from '../http/example.ts';
import { appSampleOf, openSampleOf } from './code-samples.ts';
import { headers } from './headers.ts';
import type { FormContent, OpenApiDocument, Operation, Parameter } from './openapi-document.ts';
import type { Shared } from './operation.ts';

export const OAUTH_TAGS = {
  oauth: 'The authorization server: authorization code with PKCE, refresh, introspection, revocation, device login',
  'well-known': 'Metadata of the authorization server, and the keys of launch tokens',
};

/** Base URL in examples. */
const SITE = 'https://api.example.com';

/** Returns the paths of the OAuth endpoints, of the device login, and of the metadata. */
export function oauthPaths(shared: Shared): OpenApiDocument['paths'] {
  const { components, errorResponses } = shared;
  const example = (name: string, schema: JsonSchema) => ({
    schema,
    examples: { [name]: components.addExample(name, { value: exampleOf(schema) }) },
  });
  const form = (name: string, schema: JsonSchema): { required: true; content: FormContent } => ({
    required: true,
    content: { 'application/x-www-form-urlencoded': example(name, schema) },
  });
  const json = (description: string, schema: JsonSchema) => ({
    description,
    headers: headers('X-Request-Id'),
    content: components.content(schema, 'answer'),
  });
  const operation = (
    given: Pick<Operation, 'operationId' | 'summary' | 'description'> & Partial<Operation>,
    tag: keyof typeof OAUTH_TAGS,
    codes: readonly ErrorCode[],
  ): Operation => ({
    ...{ tags: [tag], security: [] },
    ...given,
    responses: { ...given.responses, ...errorResponses.of(codes) },
    'x-error-codes': codes,
  });
  // Without the header, the form has the secret.
  const ofApp = [{ app: [] }, {}];
  const byAddress = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const;
  const common = [
    'INVALID_REQUEST',
    'INVALID_CLIENT_SECRET',
    'APP_DISABLED',
    'PAYLOAD_TOO_LARGE',
    ...byAddress,
  ] as const;
  const atEndpoint = (...own: readonly ErrorCode[]): readonly ErrorCode[] => [...own, ...common];

  return {
    [OAUTH_PATHS.authorize]: {
      get: operation(
        {
          operationId: 'oauth.authorize',
          summary: 'Ask an owner of a tenant for consent, in a browser',
          description:
            'Sends the browser to the sign-in and the consent page, and then back to `redirect_uri` with `code`, `state` and `iss`, or with `error` (RFC 6749, section 4.1; RFC 9207). Until the app and its redirect URI are known to be valid, a refusal is shown in the browser.',
          parameters: AUTHORIZE,
          responses: {
            200: { description: 'The consent page, as HTML.', headers: headers('X-Request-Id') },
            303: { description: 'To the sign-in, or back to the app.', headers: headers('X-Request-Id') },
          },
        },
        'oauth',
        [
          'INVALID_REQUEST',
          'INVALID_REDIRECT_URI',
          'UNAUTHORIZED',
          'APP_DISABLED',
          'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT',
          ...byAddress,
        ],
      ),
    },
    [OAUTH_PATHS.token]: {
      post: operation(
        {
          operationId: 'oauth.token',
          summary: 'Exchange a code or a refresh token for tokens',
          description: `Refusals have \`error\` and \`error_description\` of RFC 6749 beside \`code\` and \`message\`. A refresh token can be used once. Access tokens expire after ${LIMITS.accessTokenSeconds} seconds.`,
          security: ofApp,
          requestBody: form('TokenForm', TOKEN_FORM),
          'x-codeSamples': [appSampleOf(OAUTH_PATHS.token, TOKEN_FORM, CODE_FIELDS)],
          responses: { 200: json('The new tokens.', TOKENS) },
        },
        'oauth',
        atEndpoint(
          'INVALID_GRANT',
          'INVALID_PKCE',
          'INVALID_REDIRECT_URI',
          'INVALID_SCOPE',
          'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT',
          'TENANT_SUSPENDED',
        ),
      ),
    },
    [OAUTH_PATHS.introspect]: {
      post: operation(
        {
          operationId: 'oauth.introspect',
          summary: 'Read if an access token of the app is valid now',
          description:
            'An unknown, expired or revoked token and a token of another app all get `active: false` (RFC 7662).',
          security: ofApp,
          requestBody: form('IntrospectForm', ONE_TOKEN),
          'x-codeSamples': [appSampleOf(OAUTH_PATHS.introspect, ONE_TOKEN, ['token'])],
          responses: { 200: json('The state of the token.', INTROSPECTION) },
        },
        'oauth',
        atEndpoint(),
      ),
    },
    [OAUTH_PATHS.revoke]: {
      post: operation(
        {
          operationId: 'oauth.revoke',
          summary: 'Revoke a token of the app, and with it the whole consent',
          description: 'The response is 200 for unknown tokens too (RFC 7009).',
          security: ofApp,
          requestBody: form('RevokeForm', ONE_TOKEN),
          'x-codeSamples': [appSampleOf(OAUTH_PATHS.revoke, ONE_TOKEN, ['token'])],
          responses: { 200: json('The token is not valid any more.', REVOKED) },
        },
        'oauth',
        atEndpoint(),
      ),
    },
    [DEVICE_PATHS.code]: {
      post: operation(
        {
          operationId: 'developer.device.code',
          summary: 'Begin the login of a program, such as plat',
          description: 'The developer approves the shown code in the console (RFC 8628).',
          requestBody: { required: true, content: components.content(SCHEMAS.DeviceCodeParams, 'request') },
          'x-codeSamples': [openSampleOf('POST', DEVICE_PATHS.code, SCHEMAS.DeviceCodeParams)],
          responses: { 200: json('The codes of the login.', SCHEMAS.DeviceCodeResponse) },
        },
        'oauth',
        ['INVALID_BODY', 'PAYLOAD_TOO_LARGE', ...byAddress],
      ),
    },
    [DEVICE_PATHS.token]: {
      post: operation(
        {
          operationId: 'developer.device.token',
          summary: 'Poll for the token of a login',
          description: 'Until the developer approves the login, the response is a refusal (RFC 8628, section 3.5).',
          requestBody: { required: true, content: components.content(SCHEMAS.DeviceTokenParams, 'request') },
          'x-codeSamples': [openSampleOf('POST', DEVICE_PATHS.token, SCHEMAS.DeviceTokenParams)],
          responses: { 200: json('The developer token.', SCHEMAS.DeviceTokenResponse) },
        },
        'oauth',
        [
          'AUTHORIZATION_PENDING',
          'SLOW_DOWN',
          'EXPIRED_TOKEN',
          'ACCESS_DENIED',
          'INVALID_BODY',
          'PAYLOAD_TOO_LARGE',
          ...byAddress,
        ],
      ),
    },
    [OAUTH_PATHS.metadata]: {
      get: operation(
        {
          operationId: 'well_known.authorization_server',
          summary: 'Show the metadata of the authorization server',
          description: 'Standard clients configure themselves from it (RFC 8414).',
          'x-codeSamples': [openSampleOf('GET', OAUTH_PATHS.metadata, null)],
          responses: {
            200: json('The metadata.', metadataSchema('AuthorizationServer', authorizationServerMetadata(SITE))),
          },
        },
        'well-known',
        byAddress,
      ),
    },
    [OAUTH_PATHS.resourceMetadata]: {
      get: operation(
        {
          operationId: 'well_known.protected_resource',
          summary: 'Show the metadata of the API as a protected resource',
          description: 'The challenge of a 401 names this address (RFC 9728).',
          'x-codeSamples': [openSampleOf('GET', OAUTH_PATHS.resourceMetadata, null)],
          responses: {
            200: json('The metadata.', metadataSchema('ProtectedResource', protectedResourceMetadata(SITE))),
          },
        },
        'well-known',
        byAddress,
      ),
    },
    [OAUTH_PATHS.jwks]: {
      get: operation(
        {
          operationId: 'well_known.jwks',
          summary: 'Show the keys that verify launch tokens',
          description: `A JSON Web Key Set (RFC 7517). Cache it for at most ${LIMITS.jwksMaxAgeSeconds} seconds; a token names its key in \`kid\`.`,
          'x-codeSamples': [openSampleOf('GET', OAUTH_PATHS.jwks, null)],
          responses: { 200: json('The key set.', KEY_SET) },
        },
        'well-known',
        byAddress,
      ),
    },
  };
}

function text(description: string, example: string): JsonSchema {
  return { type: 'string', description, examples: [example] };
}

function object(title: string, description: string, properties: JsonSchema['properties'], required: readonly string[]) {
  return { title, type: 'object', description, properties, required } as JsonSchema;
}

function query(
  name: string,
  description: string,
  required: boolean,
  schema: JsonSchema = { type: 'string' },
): Parameter {
  return { name, in: 'query', required, description, schema };
}

const AUTHORIZE: readonly Parameter[] = [
  query('response_type', 'Always `code`.', true, { type: 'string', const: 'code' }),
  query('client_id', 'Id of the app.', true),
  query('redirect_uri', 'A redirect URI that the app registered, character by character.', true),
  query('scope', 'Scopes, separated by spaces.', true),
  query('code_challenge', 'SHA-256 of the code verifier in base64url (RFC 7636).', true, {
    type: 'string',
    minLength: 43,
    maxLength: 43,
  }),
  query('code_challenge_method', 'Always `S256`.', true, { type: 'string', const: 'S256' }),
  query('state', 'Sent back unchanged, without control characters. It protects the app from forged responses.', false),
];

/** The other way of authentication beside the header (specification, OAuth and key endpoints). */
const APP_SECRET = {
  client_id: text('Id of the app, unless it is in the header `Authorization`.', 'app_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  client_secret: text('Secret of the app, unless it is in the header `Authorization`.', 'plat_cs_…'),
};

const TOKEN_FORM = object(
  'TokenForm',
  'Fields of the request for tokens. A code needs `code`, `redirect_uri` and `code_verifier`; a refresh needs `refresh_token`.',
  {
    grant_type: {
      type: 'string',
      enum: ['authorization_code', 'refresh_token'],
      description: 'What the app exchanges.',
      examples: ['authorization_code'],
    },
    code: text('The code that the browser brought back.', 'plat_ac_…'),
    redirect_uri: text('The redirect URI of the authorization request.', 'https://app.example.com/callback'),
    code_verifier: {
      ...text('The text whose hash was the code challenge.', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
      ...{ minLength: LIMITS.codeVerifier.min, maxLength: LIMITS.codeVerifier.max },
    },
    refresh_token: text('The latest refresh token.', 'plat_rt_…'),
    scope: text('With a refresh: a part of the granted scopes.', 'clients:read'),
    ...APP_SECRET,
  },
  ['grant_type'],
);

/** Fields of an exchange of a code, which the sample shows. */
const CODE_FIELDS = ['grant_type', 'code', 'redirect_uri', 'code_verifier'];

const ONE_TOKEN = object(
  'TokenField',
  'The token in question.',
  { token: text('A token of the app.', 'plat_at_…'), ...APP_SECRET },
  ['token'],
);

const TOKENS = object(
  'Tokens',
  'Response of the token endpoint.',
  {
    access_token: text('Access token. It is opaque, not a JWT.', 'plat_at_…'),
    refresh_token: text('Replaces the refresh token of the request, which is no longer valid.', 'plat_rt_…'),
    token_type: { type: 'string', const: 'Bearer', description: 'Always `Bearer`.', examples: ['Bearer'] },
    expires_in: {
      type: 'integer',
      minimum: 1,
      description: 'Lifetime of the access token in seconds.',
      examples: [LIMITS.accessTokenSeconds],
    },
    scope: text('Scopes of the access token, separated by spaces.', 'clients:read clients:write'),
  },
  ['access_token', 'refresh_token', 'token_type', 'expires_in', 'scope'],
);

const INTROSPECTION = object(
  'Introspection',
  'The state of a token. Without a valid token, `active` is the only field.',
  {
    active: { type: 'boolean', description: 'True if the token is valid now.', examples: [true] },
    client_id: text('Id of the app.', 'app_01k0z8k3v7e5q2m9t4r6w1x8c0'),
    scope: text('Scopes of the token, separated by spaces.', 'clients:read'),
    exp: { type: 'integer', minimum: 0, description: 'Expiry time in Unix seconds.', examples: [1767225600] },
    sub: text('Id of the user who gave the consent.', 'usr_01k0z8k3v7e5q2m9t4r6w1x8c0'),
    tenant_id: text('Id of the tenant that gave the consent.', 'tnt_01k0z8k3v7e5q2m9t4r6w1x8c0'),
  },
  ['active'],
);

const REVOKED = object('Revoked', 'An empty object.', {}, []);

const KEY_SET = object(
  'JsonWebKeySet',
  'The public keys of the platform.',
  {
    keys: {
      type: 'array',
      description: 'The keys that verify launch tokens. A new key appears before it is used.',
      items: {
        type: 'object',
        description: 'An RSA key.',
        properties: {
          kty: text('Key type.', 'RSA'),
          alg: text('Algorithm of the signatures.', 'RS256'),
          use: text('Purpose: signatures.', 'sig'),
          kid: text('Id of the key, as in the header of a token.', 'vwXZ2hN8dGqJ6ZmT0bq3m1u5k0o9cN4yq7r8sT1uVwY'),
          n: text('Modulus, in base64url.', '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86z'),
          e: text('Exponent, in base64url.', 'AQAB'),
        },
        required: ['kty', 'alg', 'use', 'kid', 'n', 'e'],
      },
    },
  },
  ['keys'],
);

/** Returns the schema of metadata, derived from the metadata itself. */
function metadataSchema(title: string, metadata: object): JsonSchema {
  const properties = Object.entries(metadata).map(([name, value]): [string, JsonSchema] => {
    const description = `Metadata \`${name}\`.`;
    if (Array.isArray(value))
      return [name, { type: 'array', items: { type: 'string' }, description, examples: [value] }];
    return [name, { type: typeof value === 'boolean' ? 'boolean' : 'string', description, examples: [value] }];
  });
  return object(title, 'Metadata for standard clients.', Object.fromEntries(properties), Object.keys(metadata));
}
