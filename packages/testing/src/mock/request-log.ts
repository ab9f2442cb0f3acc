import { type ErrorBody, HEADERS, type LoggedRequest, maskSecrets } from '@plat/contract';
import type { Credential } from './gate.ts';
import type { Sent } from './idempotency.ts';
import type { Arrival } from './server.ts';
import type { World } from './world.ts';

/** Records a request with a valid credential in the request log. Successful reads of the log are not recorded. */
export function logRequest(world: World, arrival: Arrival, sent: Sent | null, by: Credential, now: number): void {
  const { request, operation, url, requestId } = arrival;
  const failed = sent === null || sent.status >= 400;
  if (!failed && /^(?:requests|trace)\./.test(operation ?? '')) return;
  const entry: LoggedRequest = {
    object: 'request',
    id: requestId,
    method: request.method,
    path: maskSecrets(url.pathname),
    query: queryOf(url, failed),
    operation,
    outcome: failed ? 'failed' : 'succeeded',
    status: sent?.status ?? null,
    error: sent && failed ? refusalOf(sent.body as ErrorBody) : null,
    credential: { type: by.type, id: by.id, app_id: by.appId },
    idempotency_key: request.headers.get(HEADERS.idempotencyKey),
    idempotent_replayed: Object.keys(sent?.headers ?? {}).some(
      (name) => name.toLowerCase() === HEADERS.idempotentReplayed,
    ),
    ip: '127.0.0.1',
    user_agent: request.headers.get('user-agent'),
    duration_ms: 0,
    created_at: new Date(now).toISOString(),
  };
  world.requests.set(requestId, entry);
}

/** Returns the query; of a failed request the names of its parameters only. */
function queryOf({ search, searchParams }: URL, failed: boolean): string | null {
  if (search === '') return null;
  return failed ? [...searchParams.keys()].map((name) => `${name}=…`).join('&') : maskSecrets(search.slice(1));
}

function refusalOf({ code, message, errors }: ErrorBody): LoggedRequest['error'] {
  return { code, message, errors: errors ?? null };
}
