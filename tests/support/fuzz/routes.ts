import { DEVELOPER_OPERATIONS, DEVICE_PATHS, OAUTH_PATHS } from '@plat/contract';
import { ADMIN_PAGES, DEVELOPER_PAGES, type TestSession } from '@plat/server/testing';
import fc from 'fast-check';
import type { RawRequest } from '../raw-request.ts';
import { hostileBody, hostileEncoding, hostileText, hostileValue } from './hostile.ts';

/** A route outside /v1 with valid input. */
export interface FuzzRoute {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:id` or `{name}` for parameters. */
  readonly path: string;
  /** Fields that the route reads, each with a valid value. */
  readonly fields: Readonly<Record<string, string>>;
  readonly format: 'form' | 'json' | 'none';
  /** The session that the page requires; null for a route without a session. */
  readonly session: TestSession | null;
  /** Ids of objects that the session can see. With an unknown id most pages respond 404 before they read the form. */
  readonly ids: readonly string[];
  /** Ids for the parameters of the path that name a kind of object. */
  readonly named: Readonly<Record<string, string>>;
}

/** A developer and the owner of the same sandbox, both signed in. */
export interface Visitors {
  readonly developer: TestSession;
  readonly admin: TestSession;
  /** An app of the developer. */
  readonly appId: string;
  /** Its grant in the sandbox. */
  readonly consentId: string;
  /** An endpoint, an event, a delivery and an audit event of the sandbox, and a login of the developer. */
  readonly rows: readonly string[];
  /** Ids of the objects of /v1, by the names of parameters. */
  readonly objects: Readonly<Record<string, string>>;
  /** Values that forms of this sandbox accept, by the names of their fields. */
  readonly fields: Readonly<Record<'client_id' | 'event_id' | 'key_id' | 'user_code', string>>;
  /** The owner of a production tenant, who can switch to the other owner. No caller switches from a sandbox. */
  readonly switching: TestSession;
  /** The owner of another tenant, with the e-mail address of the one who switches. */
  readonly otherOwnerId: string;
}

/** Values that form fields accept, by name. A field that is not here takes text. */
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

/** Parameters of an authorization request, which the consent form repeats. */
const AUTHORIZATION = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/**
 * Every route that responds without a credential, the developer API without its token, and every page with its form.
 */
export function routesOf(visitors: Visitors): readonly FuzzRoute[] {
  const { developer, admin, appId, consentId, switching, otherOwnerId, rows, objects, fields } = visitors;
  const ids = [appId, consentId, ...rows];
  const open = (
    method: FuzzRoute['method'],
    path: string,
    format: FuzzRoute['format'] = 'none',
    ...names: string[]
  ): FuzzRoute => ({
    ...{ name: `${method} ${path}`, method, path, format, session: null, ids: [], named: {} },
    fields: Object.fromEntries(names.map((name) => [name, VALUES[name] ?? 'text'])),
  });
  const pages = (routes: typeof DEVELOPER_PAGES | typeof ADMIN_PAGES, session: TestSession): readonly FuzzRoute[] =>
    // A stream of events does not end. Clock and faults of the development mode would change the results of the others.
    routes
      .filter(({ answers, path }) => answers !== 'events' && !/^\/console\/sandbox\/(?:clock|faults)/.test(path))
      .map(({ method, path }) => ({
        ...{ name: `${method} ${path} of a session`, method, path, ids, named: namedIn(path, objects) },
        session: path === '/tenants' ? switching : session,
        format: method === 'POST' ? 'form' : 'none',
        // The latest object that the page showed. A form that names another one is outdated.
        fields: {
          ...VALUES,
          ...fields,
          user_id: otherOwnerId,
          operation: 'clients.list',
          ...(path.includes('/apps/') && namedIn(path, objects)),
          seen: path.startsWith('/console/key') ? fields.key_id : appId,
        },
      }));
  const asked = Object.fromEntries(AUTHORIZATION.map((name) => [name, VALUES[name] ?? 'text']));
  const consent = (method: 'GET' | 'POST', path: string, own: Readonly<Record<string, string>>): FuzzRoute => ({
    ...{ name: `${method} ${path} of a session`, method, path, session: admin, ids: [], named: {} },
    format: method === 'POST' ? 'form' : 'none',
    fields: { ...asked, client_id: appId, ...own },
  });
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
    open('GET', OAUTH_PATHS.authorize, 'none', ...AUTHORIZATION),
    open('GET', OAUTH_PATHS.jwks),
    open('GET', '/.well-known/oauth-authorization-server'),
    open('GET', '/.well-known/oauth-authorization-server/{name}'),
    open('GET', '/.well-known/oauth-protected-resource'),
    open('GET', '/.well-known/security.txt'),
    open('GET', '/openapi.json'),
    open('GET', '/docs/{name}'),
    open('GET', '/docs/search/', 'none', 'q'),
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
    consent('GET', OAUTH_PATHS.authorize, {}),
    consent('POST', `${OAUTH_PATHS.authorize}/decision`, { decision: 'allow', form_id: 'text' }),
    { ...consent('POST', `${OAUTH_PATHS.authorize}/account`, { user_id: otherOwnerId }), session: switching },
    ...pages(DEVELOPER_PAGES, developer),
    ...pages(ADMIN_PAGES, admin),
  ];
}

/** A location belongs to the client or the group in the path, and an endpoint to the app or the tenant. */
function namedIn(path: string, objects: Visitors['objects']): FuzzRoute['named'] {
  const { group_location_id: ofGroup = '', app_endpoint_id: ofApp = '', app_event_id: eventOfApp = '' } = objects;
  const { app_replay_id: replayOfApp = '', app_installation_id: installation = '' } = objects;
  if (path.includes('/apps/')) {
    return { endpoint_id: ofApp, event_id: eventOfApp, replay_id: replayOfApp, installation_id: installation };
  }
  return path.includes('/groups/') ? { ...objects, location_id: ofGroup } : objects;
}

/** Returns one valid call for each object of the route. */
export function flawlessCallsOf({
  method,
  path,
  fields,
  format,
  session,
  ids,
  named,
}: FuzzRoute): readonly RawRequest[] {
  const given = encodeFields({ ...fields, ...(session && { _csrf: session.csrfToken }) });
  const body = format === 'json' ? JSON.stringify(fields) : given;
  const filled = [...ids, 'analytics'].map((id) =>
    path.replaceAll(PARAMETER, (parameter) => named[parameter.slice(1)] ?? id),
  );
  return [...new Set(filled)].map((each) => ({
    method,
    path: each + (format === 'none' ? `?${given}` : ''),
    headers: headersOf('text/html', TYPES[format], session),
    ...(format !== 'none' && { body: Buffer.from(body) }),
  }));
}

/** Returns calls of a route: mostly valid with one invalid part, which reaches furthest. */
export function callsOf({ method, path, fields, format, session, ids, named }: FuzzRoute): fc.Arbitrary<RawRequest> {
  const parameter = fc.oneof(
    fc.constantFrom('app_unknown', 'con_unknown', 'analytics', 'x', ...ids, ...Object.values(named)),
    hostileText.filter((text) => text !== '').map(encode),
    hostileEncoding,
  );
  const paths = fc
    .tuple(parameter, fc.boolean())
    .map(([value, isKnown]) => path.replaceAll(PARAMETER, (name) => (isKnown && named[name.slice(1)]) || value));
  const spoilt = fc.tuple(fc.constantFrom(...Object.keys(fields), 'unknown', '__proto__'), hostileText);
  const pairs = fc.tuple(fc.array(spoilt, { maxLength: 2 }), fc.boolean()).map(([bad, twice]) => {
    const given = { ...fields, ...(session && { _csrf: session.csrfToken }), ...Object.fromEntries(bad) };
    const [first] = Object.entries(given);
    return encodeFields(given) + (twice && first ? `&${encodeFields(Object.fromEntries([first]))}` : '');
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
  const types = fc.oneof(
    { weight: 6, arbitrary: fc.constant(TYPES[format]) },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', '') },
  );
  const accept = fc.constantFrom('text/html,application/xhtml+xml,*/*;q=0.8', 'application/json', '*/*');
  const queries = format === 'none' ? pairs : fc.oneof(fc.constant(''), hostileText.map(encode));
  return fc.tuple(paths, queries, bodies, types, accept).map(([filled, query, body, contentType, accepts]) => ({
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: headersOf(accepts, contentType, session),
    ...(body && { body }),
  }));
}

const PARAMETER = /:\w+|\{\w+\}/g;
const TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', none: undefined } as const;

function headersOf(accept: string, type: string | undefined, session: TestSession | null): RawRequest['headers'] {
  return [
    ['Accept', accept],
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ...(session
      ? ([
          ['Cookie', session.cookie],
          ['Sec-Fetch-Site', 'same-origin'],
        ] as const)
      : []),
  ];
}

function encodeFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** Bodies that are large because they contain very many values. */
const manyItems = fc
  .tuple(fc.constantFrom('events', 'scopes', 'redirect_uris', 'unknown'), fc.constantFrom(1_000, 60_000))
  .map(([name, count]) => Buffer.from(`{"${name}":[${Array(count).fill(1).join()}]}`));
const manyFields = fc
  .constantFrom(200, 20_000)
  .map((count) => Buffer.from(Array.from({ length: count }, (_, i) => `f${i}=`).join('&')));

/** Half a surrogate pair has no UTF-8 form. Its three bytes are written as an encoder without checks would. */
function encode(text: string): string {
  return Array.from(text, (each) => (each.isWellFormed() ? encodeURIComponent(each) : '%ed%a0%80')).join('');
}
