import type { IdKind, TraceSubject } from '@plat/contract';
import { AUDIT_VIEW, type AuditView } from '../../accounts/present-audit-event.ts';
import type { ReadContext } from '../../context.ts';
import { columnsOf } from '../../db/statements.ts';
import { AUDIT_EVENTS } from '../../db/tables/audit-events.ts';
import { EVENTS } from '../../db/tables/events.ts';
import { REQUESTS, type RequestRow } from '../../db/tables/requests.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, EVENT_COLUMNS, type EventView, idWithPrefixOf, type May } from './parts.ts';
import { newestOfEach } from './rows.ts';

/** Rows about a subject, from which a trace is completed. */
export interface Seeds {
  readonly requests: readonly RequestRow[];
  /** Further requests, which the log need not have. */
  readonly requestIds: readonly string[];
  /** Further replays. */
  readonly replayIds: readonly string[];
  readonly changes: readonly AuditView[];
  readonly events: readonly EventView[];
  readonly attempts: readonly AttemptRow[];
  /** Id of the last row; null if no older ones follow. */
  readonly nextCursor: string | null;
}

/** No rows. */
export const NO_SEEDS: Seeds = {
  requests: [],
  requestIds: [],
  replayIds: [],
  changes: [],
  events: [],
  attempts: [],
  nextCursor: null,
};

/** The columns in which rows name a subject. */
export interface Sources {
  /** Ids of changed objects. */
  readonly targets?: readonly string[];
  /** Ids of actors. */
  readonly actors?: readonly string[];
  /** Id of the sign-in of actors. */
  readonly signIn?: string;
  /** Ids of objects of events. */
  readonly objects?: readonly string[];
  /** Id of an endpoint. */
  readonly endpoint?: string;
  /** Ids of API keys and grants. */
  readonly credentials?: readonly string[];
}

/** Returns the sources of rows about an object. */
export function sourcesOf({ type, id }: TraceSubject): Sources {
  const own: Sources = { targets: [id], objects: [id] };
  switch (type) {
    case 'user':
      return { ...own, actors: [id] };
    case 'api_key':
      return { ...own, actors: [id], credentials: [id] };
    case 'webhook_endpoint':
      return { targets: [id], endpoint: id };
    case 'session':
      return { signIn: id };
    case 'developer_token':
      return { targets: [id], signIn: id };
    case 'grant':
      return { targets: [id], credentials: [id] };
    default:
      return own;
  }
}

interface SeedPage {
  readonly may: May;
  readonly limit: number;
  readonly cursor: string | null;
}

/** Returns the newest rows about a subject before a cursor, from all of its sources together. */
export async function seedsOf(
  ctx: ReadContext,
  { targets = [], actors = [], signIn, objects = [], endpoint, credentials = [] }: Sources,
  { may, limit, cursor }: SeedPage,
): Promise<Seeds> {
  const bounds = (kind: IdKind) => ({ each: limit + 1, below: cursor === null ? null : idWithPrefixOf(kind, cursor) });
  const audits = { table: AUDIT_EVENTS, columns: AUDIT_VIEW, ...bounds('audit_event') };
  const byTarget = may('changes')
    ? await newestOfEach(ctx, { ...audits, index: 'audit_events_target', column: 'target_id', values: targets })
    : [];
  const byActor = may('changes')
    ? await newestOfEach(ctx, { ...audits, index: 'audit_events_actor', column: 'actor_id', values: actors })
    : [];
  const bySignIn =
    signIn !== undefined && may('changes')
      ? await newestOfEach(ctx, { ...audits, index: 'audit_events_session', column: 'session_id', values: [signIn] })
      : [];
  const events = may('events')
    ? await newestOfEach(ctx, {
        ...{ table: EVENTS, columns: EVENT_COLUMNS, index: 'events_object', column: 'object_id', values: objects },
        ...bounds('event'),
      })
    : [];
  const attempts =
    endpoint !== undefined && may('attempts')
      ? await newestOfEach(ctx, {
          ...{ table: WEBHOOK_DELIVERIES, columns: ATTEMPT_COLUMNS, index: 'webhook_deliveries_endpoint' },
          ...{ column: 'endpoint_id', values: [endpoint], ...bounds('webhook_delivery') },
        })
      : [];
  const requests = may('requests')
    ? await newestOfEach(ctx, {
        ...{ table: REQUESTS, columns: columnsOf(REQUESTS), index: 'requests_credential_id' },
        ...{ column: 'credential_id', values: credentials, ...bounds('request') },
      })
    : [];
  return newest({ requests, changes: [...byTarget, ...byActor, ...bySignIn], events, attempts }, limit);
}

type Found = Pick<Seeds, 'requests' | 'changes' | 'events' | 'attempts'>;

/** Keeps the newest `limit` rows of all kinds. The opaque parts of ids of any kind are in the order of time. */
function newest({ requests, changes, events, attempts }: Found, limit: number): Seeds {
  const ids = [...requests, ...changes, ...events, ...attempts].map(({ id }) => id);
  const ordered = [...new Set(ids)].sort((a, b) => (a.slice(4) < b.slice(4) ? 1 : -1));
  const kept = new Set(ordered.slice(0, limit));
  const isKept = ({ id }: { readonly id: string }) => kept.has(id);
  return {
    ...NO_SEEDS,
    requests: requests.filter(isKept),
    changes: changes.filter(isKept),
    events: events.filter(isKept),
    attempts: attempts.filter(isKept),
    nextCursor: ordered.length > limit ? (ordered[limit - 1] ?? null) : null,
  };
}
