import { type AppEndpoint, type ErrorBody, HEADERS, LIMITS, maskSecrets } from '@plat/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Credential } from '../auth/credential.ts';
import { NO_TENANT, type RequestRow } from '../db/requests.ts';
import type { AnyRoute } from './route.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The refusal that answered the request, as an error body. */
      refusal?: ErrorBody;
      /** The OAuth app that called one of its endpoints, once its id is found. At the authorize endpoint: of a refusal. */
      app?: CallingApp;
      /** Name of the requested operation. */
      operation?: string;
      /** Names of the query parameters of the operation. */
      parameters?: ReadonlySet<string>;
    }
  }
}

/** A call of an OAuth app, for the log of its refusals. */
export interface CallingApp {
  readonly id: string;
  readonly endpoint: AppEndpoint;
  /** Id of the grant whose code or token the app sent; absent until it is found. */
  grantId?: string;
}

/** Start time and duration of a request, both in ms. */
export interface Timing {
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Sets the operation of the request. */
export function nameOperation({ name, query }: AnyRoute): RequestHandler {
  const parameters = new Set(Object.keys(query?.properties ?? {}));
  return (_req, res, next) => {
    res.locals.operation = name;
    res.locals.parameters = parameters;
    next();
  };
}

/** Returns true if a request that has ended was refused, or was not answered. A redirect can send a refusal to an app. */
export function hasFailed(res: Response): boolean {
  return !res.writableFinished || res.statusCode >= 400 || res.locals.refusal !== undefined;
}

/** Returns the request log entry of a request that has ended. */
export function entryOf(req: Request, res: Response, { startedAt, durationMs }: Timing): RequestRow {
  const { user } = req;
  const { requestId, refusal, operation, parameters } = res.locals;
  // The log of an app has its refusals only. The development mode keeps other requests too.
  const app = hasFailed(res) ? res.locals.app : undefined;
  const [path = '', query] = req.originalUrl.split(/\?(.*)/s, 2);
  const ofApi = user && 'type' in user ? (user as Credential) : null;
  return {
    tenant_id: ofApi?.tenantId ?? app?.id ?? NO_TENANT,
    id: requestId,
    method: req.method,
    path: shownPath(path),
    query: query === undefined ? null : shownQuery(query, hasFailed(res) ? undefined : parameters),
    operation: operation ?? (app ? operationOf(app.endpoint) : null),
    outcome: hasFailed(res) ? 'failed' : 'succeeded',
    status: res.writableFinished ? res.statusCode : null,
    code: refusal?.code ?? null,
    refusal: refusal ? refusalText(refusal, path) : null,
    credential_type: ofApi?.type ?? null,
    credential_id: ofApi?.id ?? app?.grantId ?? null,
    app_id: ofApi?.actor.type === 'oauth_app' ? ofApi.actor.id : null,
    idempotency_key: shownOrNull(req.get(HEADERS.idempotencyKey)),
    idempotent_replayed: res.hasHeader(HEADERS.idempotentReplayed) ? 1 : 0,
    // An app may not have met the user whose browser requests the page.
    ip: app?.endpoint === 'authorize' ? null : (req.ip ?? null),
    user_agent: shownOrNull(req.get('user-agent')),
    duration_us: Math.round(durationMs * 1000),
    created_at: startedAt,
  };
}

/** Returns the operation of a log entry of an app's endpoint. */
export function operationOf(endpoint: AppEndpoint): string {
  return `oauth.${endpoint}`;
}

/** Returns the endpoint of {@link operationOf}. A newer version may have logged an endpoint that this version does not have. */
export function endpointOf(operation: string | null): AppEndpoint {
  return (operation ?? '').replace(/^oauth\./, '') as AppEndpoint;
}

/** Returns the refusal as JSON. The message may contain the path, which is redacted too. */
function refusalText({ message, errors }: ErrorBody, path: string): string {
  const some = errors?.map((one) => ({ path: shown(one.path), message: shown(one.message) }));
  return JSON.stringify({ message: shown(message.replaceAll(path, shownPath(path))), errors: some ?? null });
}

/** Returns a path without the e-mail address from which a trace starts, which the log of the process must not contain. */
export function withoutAddress(path: string): string {
  return path.startsWith(TRACES) && /@|%40/.test(path) ? `${TRACES}…` : path;
}

const TRACES = '/v1/trace/';

/** Maximum length of a path segment that is logged. A longer one may be a secret that was sent by mistake. */
const LONGEST_SEGMENT = 40;

function shownPath(path: string): string {
  const segments = withoutAddress(path)
    .split('/')
    .map((segment) => (segment.length > LONGEST_SEGMENT ? '…' : segment));
  return shown(segments.join('/'), LIMITS.url.max);
}

/** Returns the query with the values of valid parameters. Other values are replaced, since they may be secrets. */
function shownQuery(query: string, parameters: ReadonlySet<string> = new Set()): string {
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return parameters.has(name) ? pair : /^[a-z_]{1,32}$/.test(name) ? `${name}=…` : '…';
  });
  return shown(pairs.join('&'), LIMITS.url.max);
}

/** Returns text of the caller without secrets, and cut to a maximum length. */
function shown(text: string, most: number = LIMITS.idempotencyKey.max): string {
  return maskSecrets(text).slice(0, most);
}

function shownOrNull(text: string | undefined): string | null {
  return text === undefined ? null : shown(text);
}
