import {
  ALL_APP_EVENT_TYPES,
  ALL_EVENT_TYPES,
  DEVELOPER_OPERATIONS,
  ERROR_CODES,
  type ErrorCode,
  LIMITS,
  OAUTH_PATHS,
  OPERATIONS,
} from '@plat/contract';
import { execute, newPkce } from '@plat/server/testing';
import { validate as parse } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { authorizeUrl, postForm, refreshForm, visit } from '../support/oauth.ts';
import { type OpenApi, resolve, schemaChecker } from '../support/openapi.ts';
import { useServer } from '../support/story.ts';

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const asProgram = { accept: 'application/json' };
const NOT_VERIFIED = 'APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT';
const TOO_LARGE = 'PAYLOAD_TOO_LARGE';
let document: OpenApi;

beforeAll(async () => {
  document = (await (await fetch(`${story.server.baseUrl}/openapi.json`)).json()) as OpenApi;
});

test('two independent validators accept the document', async () => {
  const text = JSON.stringify(document);
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
  expect(await parse(JSON.parse(text))).toMatchObject({ valid: true, warnings: [] });
});

test('the document has every operation and every event type of the contract, and nothing else', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ofV1 = operations.filter(({ operationId }) => Object.hasOwn(OPERATIONS, operationId));
  expect(ofV1.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(OPERATIONS).sort());
  expect(
    operations
      .map(({ operationId }) => String(operationId))
      .filter((name) => !Object.hasOwn(OPERATIONS, name))
      .sort(),
  ).toEqual(
    [
      ...Object.keys(DEVELOPER_OPERATIONS).map((name) => `developer.${name}`),
      ...['authorize', 'token', 'introspect', 'revoke'].map((name) => `oauth.${name}`),
      ...['developer.device.code', 'developer.device.token'],
      ...['authorization_server', 'protected_resource', 'jwks'].map((name) => `well_known.${name}`),
    ].sort(),
  );
  expect(Object.keys(document.webhooks)).toEqual([...ALL_EVENT_TYPES, ...ALL_APP_EVENT_TYPES]);
  for (const { operationId, responses } of ofV1) {
    const { status } = OPERATIONS[operationId];
    expect(Object.keys(responses).filter((each) => each < '300')).toEqual([String(status)]);
  }
});

test('what the metadata, key set and tokens endpoints answer has the form that the document says', async () => {
  const check = schemaChecker(document);
  for (const path of [OAUTH_PATHS.metadata, OAUTH_PATHS.resourceMetadata, OAUTH_PATHS.jwks]) {
    const schema = document.paths[path]?.['get']?.responses[200];
    const body = await (await fetch(story.server.baseUrl + path)).json();
    expect(body).not.toEqual({});
    const content = schema && 'content' in schema ? schema.content : undefined;
    expect([path, content && check(content['application/json'].schema, body)]).toEqual([path, []]);
  }
});

test('every refusal is listed below the status of its code', () => {
  for (const response of Object.values(document.components.responses)) {
    const codes = response['x-error-codes'] ?? [];
    expect(new Set(codes.map((code) => ERROR_CODES[code].status)).size).toBe(1);
    expect(Object.keys(response.content?.['application/json'].examples ?? {})).toEqual(codes);
  }
});

test('every response has X-Request-Id', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const [status, response] of Object.entries(responses)) {
        expect(Object.keys(resolve(document, response).headers ?? {}), `${path} ${status}`).toContain('X-Request-Id');
      }
    }
  }
});

test('the forms of apps have the fields of the specification', () => {
  const exchange = ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret', 'code_verifier'];
  const fields = {
    [OAUTH_PATHS.token]: [...exchange, 'refresh_token'],
    [OAUTH_PATHS.introspect]: ['token', 'client_id', 'client_secret'],
  };
  for (const [path, names] of Object.entries(fields)) {
    const { content } = document.paths[path]?.['post']?.requestBody ?? {};
    const { properties = {} } = content?.['application/x-www-form-urlencoded']?.schema ?? {};
    expect(Object.keys(properties), path).toEqual(expect.arrayContaining(names));
  }
});

test('the document lists the refusals of the OAuth endpoints', async () => {
  const { server } = story;
  const app = await server.createApp({ verified: true });
  const production = await server.createTenant({ sandbox: false });
  const granted = await server.grantTokens({ app, tenantId: production.tenantId });
  const owner = await server.signInAdmin(production.ownerId);
  await server.reviewApp(app.appId, 'rejected');
  const { codeChallenge: code_challenge } = newPkce();
  const request = { client_id: app.appId, redirect_uri: app.redirectUri, response_type: 'code' };
  const question = authorizeUrl(server, {
    ...request,
    scope: 'me:read',
    code_challenge,
    code_challenge_method: 'S256',
  });
  const ask = async (cookie: string) => JSON.parse((await visit(question, { cookie, headers: asProgram })).text).code;
  const post = async (path: string, fields: Parameters<typeof postForm>[1]) =>
    (await postForm(server.baseUrl + path, fields)).body.code;
  const listed = (path: string, method: string, code: string) => {
    const operation = document.paths[path]?.[method];
    const response = operation?.responses[ERROR_CODES[code as ErrorCode].status];
    const codes = response && resolve(document, response)['x-error-codes'];
    expect([path, codes, operation?.['x-error-codes']]).toEqual([
      path,
      expect.arrayContaining([code]),
      expect.arrayContaining([code]),
    ]);
  };

  expect([await ask(''), await ask(owner.cookie)]).toEqual(['UNAUTHORIZED', NOT_VERIFIED]);
  for (const code of ['UNAUTHORIZED', NOT_VERIFIED]) listed(OAUTH_PATHS.authorize, 'get', code);
  expect(await post(OAUTH_PATHS.token, refreshForm(app, granted.tokens.refresh_token))).toBe(NOT_VERIFIED);
  listed(OAUTH_PATHS.token, 'post', NOT_VERIFIED);

  const paths = [OAUTH_PATHS.token, OAUTH_PATHS.introspect, OAUTH_PATHS.revoke];
  await execute(server.db, "UPDATE oauth_apps SET disabled_by = 'operator' WHERE id = :id", { id: app.appId });
  const form = { ...refreshForm(app, 'plat_rt_none'), token: 'plat_at_none' };
  for (const path of paths) {
    expect([path, await post(path, form)]).toEqual([path, 'APP_DISABLED']);
    listed(path, 'post', 'APP_DISABLED');
    expect([path, await post(path, { ...form, scope: 'x'.repeat(LIMITS.formBytes) })]).toEqual([path, TOO_LARGE]);
    listed(path, 'post', TOO_LARGE);
  }
});

test('every example is valid by its schema', () => {
  const check = schemaChecker(document);
  const contents = [
    ...contentsOf(document.paths),
    ...contentsOf(document.webhooks),
    ...contentsOf(document.components.responses),
  ];
  expect(contents.length).toBeGreaterThan(100);
  for (const { schema, examples } of contents) {
    for (const { $ref } of Object.values(examples)) {
      const name = $ref.replace('#/components/examples/', '');
      expect([name, check(schema, document.components.examples[name]?.value)]).toEqual([name, []]);
    }
  }
});

test('every example of a field is valid by the schema of the field', () => {
  const check = schemaChecker(document);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    for (const [field, json] of Object.entries(schema.properties ?? {})) {
      for (const example of json.examples ?? []) {
        expect([`${name}.${field}`, check(json, example)]).toEqual([`${name}.${field}`, []]);
      }
    }
  }
});

test('the document has the address of this server, and is sent again only when it has changed', async () => {
  const first = await fetch(`${story.server.baseUrl}/openapi.json`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  expect(document.servers).toEqual([{ url: story.server.baseUrl }]);
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(`${story.server.baseUrl}/openapi.json`, {
    // Without this header, fetch would send no-cache.
    headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('/openapi.json/ is not found', async () => {
  expect((await fetch(`${story.server.baseUrl}/openapi.json/`)).status).toBe(404);
});

interface Content {
  readonly schema: object;
  readonly examples: Readonly<Record<string, { readonly $ref: string }>>;
}

/** Every body with its examples, at any place of the document. */
function contentsOf(value: unknown): Content[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'application/json' || key === 'application/x-www-form-urlencoded' ? [inner as Content] : contentsOf(inner),
  );
}
