import { ALL_SCOPES, LIMITS, type TraceEntry } from '@plat/contract';
import { traceOf } from '../../resources/trace/trace.service.ts';
import type { Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** An entry of a trace as a row. A type alias, so that it is assignable to a printed row. */
type Step = { readonly at: string; readonly step: TraceEntry['kind']; readonly id: string; readonly what: string };

/**
 * Returns a page of the trace of any id of a tenant, as its API returns it: the newest cause first. The notes name what the
 * page leaves out.
 * @throws ApiError TRACE_NOT_FOUND
 */
export async function trace(
  { db, now }: Operator,
  tenantId: string,
  id: string,
  startingAfter: string | undefined,
): Promise<{ readonly steps: readonly Step[]; readonly notes: readonly string[] }> {
  await tenantOf(db, tenantId);
  const ctx = { db, tenantId, now, transaction: null };
  const page = { limit: LIMITS.page.max, ...(startingAfter === undefined ? {} : { starting_after: startingAfter }) };
  const { entries, truncated, next_cursor } = await traceOf(ctx, id, ALL_SCOPES, page);
  const notes: string[] = [];
  if (truncated.length > 0) notes.push(`Only the newest are shown: ${truncated.join(', ')}`);
  if (next_cursor !== null) notes.push(`Older causes: --starting-after ${next_cursor}`);
  const steps = entries.map((entry) => ({ at: entry.at, step: entry.kind, id: entry.id, what: textOf(entry) }));
  return { steps, notes };
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
