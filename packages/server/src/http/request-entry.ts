import { type ErrorBody, HEADERS, LIMITS, maskSecrets } from '@plat/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { Credential } from '../auth/credential.ts';
import { NO_TENANT, type RequestRow } from '../db/requests.ts';
import type { AnyRoute } from './route.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The body of the refusal that the request ended with. */
      refusal?: ErrorBody;
      /** The operation that the request is for. */
      operation?: string;
      /** The parameters that its query may have. */
      parameters?: ReadonlySet<string>;
    }
  }
}

/** When a request came, and how long it took, both in ms. */
export interface Passed {
  readonly startedAt: number;
  readonly durationMs: number;
}

/** Says which operation the request is for. */
export function nameOperation({ name, query }: AnyRoute): RequestHandler {
  const parameters = new Set(Object.keys(query?.properties ?? {}));
  return (_req, res, next) => {
    res.locals.operation = name;
    res.locals.parameters = parameters;
    next();
  };
}

/** Whether a request that is over was refused, or not answered. */
export function hasFailed(res: Response): boolean {
  return !res.writableFinished || res.statusCode >= 400;
}

/** What the log keeps of a request that is over. */
export function entryOf(req: Request, res: Response, { startedAt, durationMs }: Passed): RequestRow {
  const { user } = req;
  const { requestId, refusal, operation, parameters } = res.locals;
  const [path = '', query] = req.originalUrl.split(/\?(.*)/s, 2);
  const ofApi = user && 'type' in user ? (user as Credential) : null;
  return {
    tenant_id: ofApi?.tenantId ?? NO_TENANT,
    id: requestId,
    method: req.method,
    path: shownPath(path),
    query: query === undefined ? null : shownQuery(query, hasFailed(res) ? undefined : parameters),
    operation: operation ?? null,
    outcome: hasFailed(res) ? 'failed' : 'succeeded',
    status: res.writableFinished ? res.statusCode : null,
    code: refusal?.code ?? null,
    refusal: refusal ? refusalText(refusal, path) : null,
    credential_type: ofApi?.type ?? null,
    credential_id: ofApi?.id ?? null,
    app_id: ofApi?.actor.type === 'oauth_app' ? ofApi.actor.id : null,
    idempotency_key: shownOrNull(req.get(HEADERS.idempotencyKey)),
    idempotent_replayed: res.hasHeader(HEADERS.idempotentReplayed) ? 1 : 0,
    ip: req.ip ?? null,
    user_agent: shownOrNull(req.get('user-agent')),
    duration_us: Math.round(durationMs * 1000),
    created_at: startedAt,
  };
}

/** A message may name the path. */
function refusalText({ message, errors }: ErrorBody, path: string): string {
  const some = errors?.map((one) => ({ path: shown(one.path), message: shown(one.message) }));
  return JSON.stringify({ message: shown(message.replaceAll(path, shownPath(path))), errors: some ?? null });
}

/** A segment that is longer than whatever belongs into a path may be a secret that got there by mistake. */
const LONGEST_SEGMENT = 40;

function shownPath(path: string): string {
  const segments = path.split('/').map((segment) => (segment.length > LONGEST_SEGMENT ? '…' : segment));
  return shown(segments.join('/'), LIMITS.url.max);
}

/** With the values of parameters that were taken for what they should be. Others may be anything: their names say enough. */
function shownQuery(query: string, parameters: ReadonlySet<string> = new Set()): string {
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return parameters.has(name) ? pair : /^[a-z_]{1,32}$/.test(name) ? `${name}=…` : '…';
  });
  return shown(pairs.join('&'), LIMITS.url.max);
}

/** Text of a caller's as it may be kept. */
function shown(text: string, most: number = LIMITS.idempotencyKey.max): string {
  return maskSecrets(text).slice(0, most);
}

function shownOrNull(text: string | undefined): string | null {
  return text === undefined ? null : shown(text);
}
