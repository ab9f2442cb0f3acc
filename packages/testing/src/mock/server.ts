import {
  charsetProblem,
  HEADERS,
  LIMITS,
  OAUTH_PATHS,
  OPERATIONS,
  type OperationInfo,
  type OperationName,
  readJsonObject,
} from '@plat/contract';
import {
  check,
  type JsonSchema,
  OPERATION_SCHEMAS,
  type OperationSchemas,
  object,
  SCHEMAS,
  type Source,
  trim,
} from '@plat/contract/schemas';
import { ANSWERS } from './answers.ts';
import { authenticate, type Credential, count, type Gate, requireScope } from './gate.ts';
import { idempotencyKeyOf, once, type Sent, type StoredResponses } from './idempotency.ts';
import { invalid, Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** State of a mock that handles requests. */
export interface MockServer {
  readonly world: World;
  readonly gate: Gate;
  readonly stored: StoredResponses;
  readonly clock: () => number;
}

/** A parsed request. */
export interface Arrival {
  readonly request: Request;
  /** Null for a path that the API does not have. */
  readonly operation: OperationName | null;
  /** Path parameters; null when they cannot be decoded. */
  readonly path: Readonly<Record<string, string>> | null;
  readonly url: URL;
  readonly body: string;
  readonly requestId: string;
}

/** Checks in the order of the specification: credential, scope, rate limit, then the request, then runs the operation. */
export function answer(server: MockServer, arrival: Arrival): Required<Sent> {
  const { gate, clock } = server;
  const headers: Record<string, string> = { [HEADERS.requestId]: arrival.requestId };
  try {
    const { pathname } = arrival.url;
    if (pathname.startsWith(DEVELOPER_PATHS)) throw new Refusal('NOT_FOUND', NO_DEVELOPER_API);
    if (pathname === OAUTH_PATHS.authorize) throw new Refusal('UNAUTHORIZED', NO_PAGES);
    if (!/^\/v1(?:\/|$)/.test(pathname)) throw new Refusal('NOT_FOUND');
    const credential = authenticate(gate, arrival.request);
    const counted = count(gate, credential, clock());
    Object.assign(headers, counted.headers);
    if (arrival.path === null) throw invalid('INVALID_REQUEST', [{ path: '', message: 'the path cannot be decoded' }]);
    if (arrival.operation === null) throw new Refusal('NOT_FOUND');
    requireScope(gate, credential, OPERATIONS[arrival.operation]);
    if (counted.refusal) throw counted.refusal;
    const sent = perform(server, arrival, arrival.operation, credential);
    return { ...sent, headers: { ...headers, ...sent.headers } };
  } catch (error) {
    // Any other error is a bug of the mock, and is not hidden behind a 500.
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: error.toBody(), headers: { ...headers, ...error.headers } };
  }
}

/** Start of the paths of the developer API. */
const DEVELOPER_PATHS = '/developer/v1/';

const NO_DEVELOPER_API =
  'The mock has no developer API. Use the real server: usePlatform() of @plat/testing, ' +
  'with a token of platform.server.mintDeveloperToken(platform.tenantId)';

const NO_PAGES = 'The mock has no sign-in. Decide with oauth.authorize(url) of the mock';

function perform(server: MockServer, arrival: Arrival, operation: OperationName, credential: Credential): Sent {
  const { world, stored, clock, gate } = server;
  const { status }: OperationInfo = OPERATIONS[operation];
  const { path, url, requestId, request } = arrival;
  const query = checkedQuery(operation, url.searchParams);
  const body = checkedBody(operation, arrival);
  const now = clock();
  const { baseUrl } = gate;
  const call = { path, query, body, url: url.pathname, baseUrl, requestId, credential, world, now };
  const work = (): Sent => {
    const result = operation === 'me.get' ? me(world, credential) : run(operation, call);
    return { status, body: structuredClone(result) };
  };
  const idempotencyKey = idempotencyKeyOf(request);
  if (idempotencyKey === null) return work();
  const key = `${credential.owner} ${idempotencyKey}`;
  return once(stored, { key, request: `${url.pathname}${url.search} ${arrival.body}`, now }, work);
}

function me({ tenant }: World, { type, scopes }: Credential): object {
  return { object: 'me', tenant_id: tenant.id, credential_type: type, scopes };
}

/** Path, query and body were checked by the rules of this operation: they have its types. */
function run(operation: Exclude<OperationName, 'me.get'>, call: object): object {
  return (ANSWERS[operation] as (call: object) => object)(call);
}

function checkedQuery(operation: OperationName, parameters: URLSearchParams): object {
  const { query }: OperationSchemas = OPERATION_SCHEMAS[operation];
  const { parameters: max } = LIMITS.query;
  if (parameters.size > max) {
    throw invalid('INVALID_REQUEST', [{ path: '', message: `must not have more than ${max} parameters` }]);
  }
  return checked('INVALID_REQUEST', query ? SCHEMAS[query] : NOTHING, valuesOf(parameters), 'query');
}

/** A repeated parameter becomes a list, which every schema refuses. */
function valuesOf(parameters: URLSearchParams): Readonly<Record<string, unknown>> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const all = parameters.getAll(name);
      return [name, all.length > 1 ? all : all[0]];
    }),
  );
}

function checkedBody(operation: OperationName, { request, body }: Arrival): object | undefined {
  if (request.method !== 'POST' && request.method !== 'PATCH') return undefined;
  const { body: title }: OperationSchemas = OPERATION_SCHEMAS[operation];
  return checked('INVALID_BODY', title ? SCHEMAS[title] : NOTHING, parsed(request, body), 'body');
}

const NOTHING = object({});

function checked(
  code: 'INVALID_REQUEST' | 'INVALID_BODY',
  schema: JsonSchema,
  given: Readonly<Record<string, unknown>>,
  source: Source,
): object {
  const { value, errors } = check(schema, trim(schema, given), source);
  if (errors.length > 0) throw invalid(code, errors);
  return { ...(value as object) };
}

/** A missing body counts as an empty one: the schema of the operation names its missing fields. */
function parsed(request: Request, text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw invalid('INVALID_BODY', [{ path: '', message: 'must be sent with Content-Type: application/json' }]);
  }
  const wrongCharset = charsetProblem(type);
  if (wrongCharset !== null) throw invalid('INVALID_BODY', [{ path: '', message: wrongCharset }]);
  const { value, problem } = readJsonObject(text);
  if (problem) throw invalid('INVALID_BODY', [problem]);
  return { ...value };
}
