import { DEVELOPER_OPERATIONS, DEVICE_PATHS, OAUTH_PATHS } from '@plat/contract';
import { ADMIN_PAGES, DEVELOPER_PAGES, type TestSession } from '@plat/server/testing';
import fc from 'fast-check';
import type { RawRequest } from '../raw-request.ts';
import { hostileBody, hostileEncoding, hostileText, hostileValue } from './hostile.ts';

/** A route outside /v1, with what a well-behaved caller sends there. */
export interface Door {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:id` or `{name}` where it takes a parameter. */
  readonly path: string;
  /** Fields that the route reads, with a value that it may take. */
  readonly fields: Readonly<Record<string, string>>;
  readonly format: 'form' | 'json' | 'none';
  /** The session that opens it; null: anybody may call it. */
  readonly session: TestSession | null;
}

interface Sessions {
  readonly developer: TestSession;
  readonly admin: TestSession;
}

/** Values that the fields of forms take, by their names; a field that is not here takes text. */
const VALUES: Readonly<Record<string, string>> = {
  answer: 'approve',
  client_id: 'app_unknown',
  client_secret: 'plat_cs_unknown',
  code: 'plat_ac_unknown',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  code_verifier: 'a'.repeat(43),
  confirm: 'yes',
  device_code: 'plat_dc_unknown',
  email: 'ada@example.com',
  expires_in: '0',
  grant_type: 'refresh_token',
  name: 'Acme',
  redirect_uri: 'https://app.example/callback',
  redirect_uris: 'https://app.example/callback',
  refresh_token: 'plat_rt_unknown',
  response_type: 'code',
  scope: 'clients:read',
  token: 'plat_at_unknown',
  user_code: 'BCDF-GHJK',
  website: 'https://app.example',
};

/** Every route that answers without a credential, the developer API without its token, and every page with its form. */
export function doorsOf({ developer, admin }: Sessions): readonly Door[] {
  const open = (method: Door['method'], path: string, format: Door['format'] = 'none', ...names: string[]): Door => ({
    ...{ name: `${method} ${path}`, method, path, format, session: null },
    fields: Object.fromEntries(names.map((name) => [name, VALUES[name] ?? 'text'])),
  });
  const pages = (routes: typeof DEVELOPER_PAGES | typeof ADMIN_PAGES, session: TestSession): readonly Door[] =>
    routes.map(({ method, path }) => ({
      ...{ name: `${method} ${path} of a session`, method, path, session },
      format: method === 'POST' ? 'form' : 'none',
      fields: VALUES,
    }));
  const signIn = ['/sign-in', '/console/sign-in'].flatMap((path) => [
    open('GET', path, 'none', 'return_to'),
    open('POST', path, 'form', 'email', 'return_to', '_csrf'),
    open('GET', `${path}/code`),
    open('POST', `${path}/code`, 'form', 'code', '_csrf'),
    open('GET', `${path}/link`, 'none', 'token'),
    open('POST', `${path}/link`, 'form', 'token', '_csrf'),
  ]);
  return [
    ...signIn,
    open('GET', '/invitations/accept', 'none', 'token'),
    open('POST', '/invitations/accept', 'form', 'token'),
    open('POST', DEVICE_PATHS.code, 'json', 'client_name'),
    open('POST', DEVICE_PATHS.token, 'json', 'device_code'),
    open(
      'POST',
      OAUTH_PATHS.token,
      'form',
      'grant_type',
      'code',
      'redirect_uri',
      'client_id',
      'client_secret',
      'code_verifier',
      'refresh_token',
      'scope',
    ),
    open('POST', OAUTH_PATHS.introspect, 'form', 'token', 'client_id', 'client_secret'),
    open('POST', OAUTH_PATHS.revoke, 'form', 'token', 'client_id', 'client_secret'),
    open(
      'GET',
      OAUTH_PATHS.authorize,
      'none',
      'response_type',
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'code_challenge',
      'code_challenge_method',
    ),
    open('GET', OAUTH_PATHS.jwks),
    open('GET', '/.well-known/oauth-authorization-server'),
    open('GET', '/.well-known/oauth-authorization-server/{name}'),
    open('GET', '/.well-known/oauth-protected-resource'),
    open('GET', '/.well-known/security.txt'),
    open('GET', '/openapi.json'),
    open('GET', '/docs'),
    open('GET', '/livez'),
    open('GET', '/readyz'),
    open('GET', '/v1/{name}'),
    open('POST', '/v1/clients', 'json', 'name'),
    open('GET', '/_dev/{name}'),
    open('POST', '/_dev/tenants', 'json', 'name'),
    open('POST', '/_dev/faults', 'json', 'operation', 'kind'),
    ...Object.values(DEVELOPER_OPERATIONS).map(({ method, path }) =>
      open(method, path, method === 'POST' || method === 'PATCH' ? 'json' : 'none', 'name', 'redirect_uris', 'scopes'),
    ),
    ...pages(DEVELOPER_PAGES, developer),
    ...pages(ADMIN_PAGES, admin),
  ];
}

/** Calls of a route: mostly good with one part bad, which reaches furthest. */
export function callsOf({ method, path, fields, format, session }: Door): fc.Arbitrary<RawRequest> {
  const parameter = fc.oneof(
    fc.constantFrom('app_unknown', 'con_unknown', 'analytics', 'x'),
    hostileText.filter((text) => text !== '').map(encode),
    hostileEncoding,
  );
  const paths = parameter.map((value) => path.replaceAll(/:\w+|\{\w+\}/g, () => value));
  const spoilt = fc.tuple(fc.constantFrom(...Object.keys(fields), 'unknown', '__proto__'), hostileText);
  const pairs = fc.tuple(fc.array(spoilt, { maxLength: 2 }), fc.boolean()).map(([bad, twice]) => {
    const given = Object.entries({
      ...fields,
      ...(session && { _csrf: session.csrfToken }),
      ...Object.fromEntries(bad),
    });
    return [...given, ...(twice ? given.slice(0, 1) : [])]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .join('&');
  });
  const json = fc.oneof(
    fc
      .dictionary(fc.constantFrom(...Object.keys(fields), 'unknown'), hostileValue, { maxKeys: 3 })
      .map((value) => Buffer.from(JSON.stringify(value))),
    hostileBody,
    manyItems,
  );
  const form = fc.oneof(
    { weight: 5, arbitrary: pairs.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: hostileBody },
    { weight: 1, arbitrary: manyFields },
  );
  const bodies = format === 'none' ? fc.constant(undefined) : format === 'json' ? json : form;
  const type = { json: 'application/json', form: 'application/x-www-form-urlencoded', none: undefined }[format];
  const types = fc.oneof(
    { weight: 6, arbitrary: fc.constant(type) },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', '') },
  );
  const accept = fc.constantFrom('text/html,application/xhtml+xml,*/*;q=0.8', 'application/json', '*/*');
  const queries = format === 'none' ? pairs : fc.oneof(fc.constant(''), hostileText.map(encode));
  return fc.tuple(paths, queries, bodies, types, accept).map(([filled, query, body, contentType, accepts]) => ({
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: [
      ['Accept', accepts],
      ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
      ...(session
        ? ([
            ['Cookie', session.cookie],
            ['Sec-Fetch-Site', 'same-origin'],
          ] as const)
        : []),
    ],
    ...(body && { body }),
  }));
}

/** Bodies that are large because they hold very many things. */
const manyItems = fc
  .tuple(fc.constantFrom('events', 'scopes', 'redirect_uris', 'unknown'), fc.constantFrom(1_000, 60_000))
  .map(([name, count]) => Buffer.from(`{"${name}":[${Array(count).fill(1).join()}]}`));
const manyFields = fc
  .constantFrom(200, 20_000)
  .map((count) => Buffer.from(Array.from({ length: count }, (_, i) => `f${i}=`).join('&')));

/** Half a surrogate pair has no UTF-8: its three bytes are written as they would be. */
function encode(text: string): string {
  return Array.from(text, (each) => (each.isWellFormed() ? encodeURIComponent(each) : '%ed%a0%80')).join('');
}
