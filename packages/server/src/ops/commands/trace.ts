import { ALL_SCOPES, LIMITS, type TraceEntry } from '@plat/contract';
import { traceOf } from '../../resources/trace/trace.service.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** An entry of a trace as a row. A type alias, so that it is assignable to a printed row. */
type Step = { readonly at: string; readonly step: TraceEntry['kind']; readonly id: string; readonly what: string };

/**
 * Returns the trace of any id of a tenant, as its API returns it: the newest cause first.
 * @throws ApiError TRACE_NOT_FOUND
 */
export async function trace({ db, now }: Operator, tenantId: string, id: string): Promise<readonly Step[]> {
  await tenantOf(db, tenantId);
  const ctx = { db, tenantId, now, transaction: null };
  const { entries } = await traceOf(ctx, id, ALL_SCOPES, { limit: LIMITS.page.max });
  return entries.map((entry) => ({ at: entry.at, step: entry.kind, id: entry.id, what: textOf(entry) }));
}

function textOf(entry: TraceEntry): string {
  switch (entry.kind) {
    case 'request': {
      if (!entry.request) return 'not in the request log';
      const { method, path, status, error } = entry.request;
      return `${method} ${path} ${status ?? 'aborted'}${error ? ` ${error.code}` : ''}`;
    }
    case 'change': {
      const { action, target, actor } = entry.change;
      return `${action} of ${target.id} by ${actor.type}${actor.id === null ? '' : ` ${actor.id}`}`;
    }
    case 'event':
      return entry.event.type;
    case 'attempt': {
      const { attempt, endpoint_id, status, response_status: code, error } = entry.delivery;
      return `attempt ${attempt} to ${endpoint_id}: ${status}${code ? ` ${code}` : ''}${error ? ` (${error})` : ''}`;
    }
    case 'replay':
      return `${entry.replay.select} events: ${entry.replay.status}`;
    case 'grant':
      return `${entry.step}${entry.reason === null ? '' : ` (${entry.reason})`} for ${entry.app_id}`;
  }
}
