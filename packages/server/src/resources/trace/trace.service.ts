import {
  ID_PREFIXES,
  type IdKind,
  isId,
  LIMITS,
  orderTrace,
  type Scope,
  TRACE_PARTS,
  type Trace,
  type TraceParams,
  type TraceSubject,
  traceProblems,
} from '@plat/contract';
import { DELIVERY_ERROR_REFERENCE, ERROR_REFERENCE } from '@plat/contract/error-reference';
import { AUDIT_VIEW } from '../../accounts/present-audit-event.ts';
import type { ReadContext } from '../../context.ts';
import { AUDIT_EVENTS } from '../../db/tables/audit-events.ts';
import { EVENTS } from '../../db/tables/events.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import { lacksScope } from '../../http/gate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { type Chains, completeChains } from './chains.ts';
import { entriesOf } from './entries.ts';
import { exists } from './exists.ts';
import { type GrantView, grantById, grantsOfApp } from './grants.ts';
import { ATTEMPT_COLUMNS, EVENT_COLUMNS, type May, partsOf, withheldFrom } from './parts.ts';
import { newestOfEach } from './rows.ts';
import { NO_SEEDS, type Seeds, seedsOf, sourcesOf } from './seeds.ts';
import { notFound, subjectOf } from './subject.ts';

const TEXTS = { ...ERROR_REFERENCE, ...DELIVERY_ERROR_REFERENCE };

/**
 * Returns a page of all that is recorded about an id, an e-mail address or a slug of the tenant. `parts` are those that the
 * caller may read.
 * @throws {@link ApiError} TRACE_NOT_FOUND, INSUFFICIENT_SCOPE, INVALID_CURSOR
 */
export async function traceOf(
  ctx: ReadContext,
  text: string,
  scopes: readonly Scope[],
  { limit = LIMITS.page.default, starting_after: cursor }: TraceParams,
  parts = partsOf(scopes),
): Promise<Trace> {
  const may: May = (part) => parts.includes(part);
  if (parts.length === 0) throw lacksScope(TRACE_PARTS.requests);
  if (cursor !== undefined && !isAnyId(cursor)) {
    throw new ApiError('INVALID_CURSOR', 'The cursor must be the next_cursor of an earlier answer');
  }
  const subject = await subjectOf(ctx, text, scopes);
  const page = { may, limit, cursor: cursor ?? null };
  const grants = await grantsOf(ctx, subject);
  const seeds = await startOf(ctx, subject, grants, page);
  const isDelivered = subject.type === 'event' || subject.type === 'webhook_delivery';
  const chains = await completeChains(ctx, seeds, {
    may,
    withSiblings: !isDelivered && subject.type !== 'webhook_endpoint',
    withAttempts: subject.type !== 'webhook_endpoint',
  });
  if (cursor === undefined && isEmpty(chains) && grants.length === 0 && !(await exists(ctx, subject))) {
    throw notFound();
  }
  // The steps of a grant are few, and are all on the first page.
  const shownGrants = cursor === undefined ? grants : [];
  const entries = orderTrace(entriesOf(chains, { may, grants: shownGrants, now: ctx.now }));
  return {
    object: 'trace',
    id: text,
    subject,
    problems: traceProblems(entries, subject, TEXTS),
    entries,
    has_more: seeds.nextCursor !== null,
    next_cursor: seeds.nextCursor,
    truncated: [...chains.truncated],
    withheld: [...withheldFrom(parts)],
  };
}

/**
 * Returns a page of the events, deliveries and replays about an object of an app. The tenant of the context is the app. Their
 * requests and changes belong to tenants and are not part of it.
 * @throws {@link ApiError} TRACE_NOT_FOUND, INVALID_CURSOR
 */
export async function appTraceOf(ctx: ReadContext, id: string, params: TraceParams): Promise<Omit<Trace, 'withheld'>> {
  if (!isAnyId(id)) throw notFound();
  const { withheld: _, ...trace } = await traceOf(ctx, id, ['webhooks:read'], params);
  return trace;
}

interface SeedPage {
  readonly may: May;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Returns the rows from which the trace of a subject starts. */
async function startOf(
  ctx: ReadContext,
  subject: TraceSubject,
  grants: readonly GrantView[],
  page: SeedPage,
): Promise<Seeds> {
  const { type, id } = subject;
  const own = { index: null, column: 'id', values: [id], each: 1 } as const;
  switch (type) {
    case 'request':
      return { ...NO_SEEDS, requestIds: [id] };
    case 'audit_event':
      return {
        ...NO_SEEDS,
        changes: await newestOfEach(ctx, { ...own, table: AUDIT_EVENTS, columns: AUDIT_VIEW }),
      };
    case 'webhook_replay':
      return { ...(await seedsOf(ctx, { targets: [id] }, page)), replayIds: [id] };
    case 'event': {
      const events = await newestOfEach(ctx, { ...own, table: EVENTS, columns: EVENT_COLUMNS });
      return { ...(await seedsOf(ctx, { targets: [id] }, page)), events };
    }
    case 'webhook_delivery': {
      const attempts = await newestOfEach(ctx, { ...own, table: WEBHOOK_DELIVERIES, columns: ATTEMPT_COLUMNS });
      const targets = attempts.map(({ event_id }) => event_id);
      return { ...(await seedsOf(ctx, { targets }, page)), attempts };
    }
    case 'app': {
      const ids = grants.map((grant) => grant.id);
      const sources = { targets: [id, ...ids], actors: [id], objects: [id], credentials: ids };
      return seedsOf(ctx, sources, page);
    }
    case 'grant':
      return grants.length === 0 ? NO_SEEDS : seedsOf(ctx, sourcesOf(subject), page);
    default:
      return seedsOf(ctx, sourcesOf(subject), page);
  }
}

async function grantsOf(ctx: ReadContext, { type, id }: TraceSubject): Promise<readonly GrantView[]> {
  if (type === 'grant') return grantById(ctx, id);
  return type === 'app' ? grantsOfApp(ctx, id) : [];
}

function isEmpty({ requests, changes, events, attempts, replays }: Chains): boolean {
  // A request without an entry and without changes may be of any tenant.
  const hasRequest = [...requests.values()].some((row) => row !== null);
  return !hasRequest && changes.size + events.size + attempts.size + replays.size === 0;
}

function isAnyId(text: string): boolean {
  return Object.keys(ID_PREFIXES).some((kind) => isId(kind as IdKind, text));
}
