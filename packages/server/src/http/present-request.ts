import type { LoggedCredential, LoggedRefusal, LoggedRequest, OperationName } from '@plat/contract';
import type { RequestRow } from '../db/requests.ts';
import { isoTime } from '../kernel/clock.ts';

/** A request log entry as it is presented. In development mode the log also has requests without a credential. */
export interface PresentedRequest extends Omit<LoggedRequest, 'credential'> {
  readonly credential: LoggedCredential | null;
}

export function presentRequest(row: RequestRow): PresentedRequest {
  return {
    object: 'request',
    id: row.id,
    method: row.method,
    path: row.path,
    query: row.query,
    operation: row.operation as OperationName | null,
    outcome: row.outcome,
    status: row.status,
    error: refusalOf(row),
    credential: credentialOf(row),
    idempotency_key: row.idempotency_key,
    idempotent_replayed: row.idempotent_replayed === 1,
    ip: row.ip,
    user_agent: row.user_agent,
    duration_ms: row.duration_us / 1000,
    created_at: isoTime(row.created_at),
  };
}

/** Returns the refusal of an entry; null if the request was not refused. */
export function refusalOf({ code, refusal }: Pick<RequestRow, 'code' | 'refusal'>): LoggedRefusal | null {
  if (code === null || refusal === null) return null;
  return { code, ...(JSON.parse(refusal) as Omit<LoggedRefusal, 'code'>) };
}

function credentialOf({ credential_type: type, credential_id: id, app_id }: RequestRow): LoggedCredential | null {
  return type === null || id === null ? null : { type, id, app_id };
}
