import type { TracePart } from '@plat/contract';
import { AUDIT_VIEW, type AuditView } from '../../accounts/present-audit-event.ts';
import { HIDDEN, type ReplayView } from '../../accounts/present-replay.ts';
import type { ReadContext } from '../../context.ts';
import { columnsExcept, columnsOf } from '../../db/statements.ts';
import { AUDIT_EVENTS } from '../../db/tables/audit-events.ts';
import { EVENTS } from '../../db/tables/events.ts';
import { REQUESTS, type RequestRow } from '../../db/tables/requests.ts';
import { WEBHOOK_DELIVERIES } from '../../db/tables/webhook-deliveries.ts';
import { WEBHOOK_ENDPOINTS, type WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { WEBHOOK_REPLAYS } from '../../db/tables/webhook-replays.ts';
import { ATTEMPT_COLUMNS, type AttemptRow, EVENT_COLUMNS, type EventView, type May } from './parts.ts';
import { newestOfEach } from './rows.ts';
import type { Seeds } from './seeds.ts';

/** Maximum number of rows of a part in a page, which the requests or events of the page share. */
const MAX_ROWS = 500;
/** Maximum number of requests or events whose rows are read: the newest ones. */
const MAX_SHARES = 200;

const ENDPOINT_COLUMNS = ['id', 'url', 'status', 'paused_until'] as const;
export type EndpointView = Pick<WebhookEndpointRow, (typeof ENDPOINT_COLUMNS)[number]>;

/** All rows of a page, by their ids. */
export interface Chains {
  /** Request → its entry in the log, if the log has it. */
  readonly requests: ReadonlyMap<string, RequestRow | null>;
  readonly changes: ReadonlyMap<string, AuditView>;
  readonly events: ReadonlyMap<string, EventView>;
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  readonly replays: ReadonlyMap<string, ReplayView>;
  readonly endpoints: ReadonlyMap<string, EndpointView>;
  /** Parts that reached their limit. */
  readonly truncated: ReadonlySet<TracePart>;
}

interface Completion {
  readonly may: May;
  /** Reads all events of the requests. Otherwise only events of the seeds are shown. */
  readonly withSiblings: boolean;
  /** Reads all attempts of the events. Otherwise only attempts of the seeds are shown. */
  readonly withAttempts: boolean;
}

/** Completes the rows about a subject by their causes and effects. */
export async function completeChains(
  ctx: ReadContext,
  seeds: Seeds,
  { may, withSiblings, withAttempts }: Completion,
): Promise<Chains> {
  const truncated = new Set<TracePart>();
  const limited = async <Row extends { readonly id: string }>(
    part: TracePart,
    values: readonly string[],
    read: (values: readonly string[], each: number) => Promise<Row[]>,
    keyOf: (row: Row) => string | null,
  ): Promise<Row[]> => {
    if (!may(part) || values.length === 0) return [];
    const different = [...new Set(values)].sort().reverse();
    const newest = different.slice(0, MAX_SHARES);
    const most = Math.floor(MAX_ROWS / newest.length);
    const rows = await read(newest, most + 1);
    const kept = [...Map.groupBy(rows, keyOf).values()].flatMap((group) => group.slice(0, most));
    if (kept.length < rows.length || newest.length < different.length) truncated.add(part);
    return kept;
  };

  const known = await eventsById(ctx, seeds);
  const ofSeeds = defined([
    ...seeds.requestIds,
    ...seeds.requests.map(({ id }) => id),
    ...[...seeds.changes, ...known].map(({ request_id }) => request_id),
  ]);
  const siblings = await limited(
    'events',
    withSiblings ? ofSeeds : [],
    (values, each) =>
      newestOfEach(ctx, {
        ...{ table: EVENTS, columns: EVENT_COLUMNS, index: 'events_request', column: 'request_id', values, each },
      }),
    ({ request_id }) => request_id,
  );
  const events = byId([...known, ...siblings]);

  const eventIds = withAttempts ? [...events.keys()] : [];
  const further = await limited(
    'attempts',
    eventIds,
    (values, each) =>
      newestOfEach(ctx, {
        ...{ table: WEBHOOK_DELIVERIES, columns: ATTEMPT_COLUMNS, index: 'webhook_deliveries_event' },
        ...{ column: 'event_id', values, each },
      }),
    ({ event_id }) => event_id,
  );
  const attempts = byId([...seeds.attempts, ...further]);

  const origins = defined([...attempts.values()].map(({ replayed_by }) => replayed_by));
  const replays = byId(may('replays') ? await replaysById(ctx, [...seeds.replayIds, ...origins]) : []);
  const created = may('changes') ? await changesOfReplays(ctx, [...replays.keys()]) : [];

  const requestIds = [...ofSeeds, ...origins.filter(isRequest), ...defined(created.map((row) => row.request_id))];
  const changes = await limited(
    'changes',
    requestIds,
    (values, each) =>
      newestOfEach(ctx, {
        ...{
          table: AUDIT_EVENTS,
          columns: AUDIT_VIEW,
          index: 'audit_events_request',
          column: 'request_id',
          values,
          each,
        },
      }),
    ({ request_id }) => request_id,
  );
  return {
    requests: may('requests') ? await requestsById(ctx, seeds, requestIds) : new Map(),
    changes: byId([...seeds.changes, ...created, ...changes]),
    events,
    attempts,
    replays,
    endpoints: byId(await endpointsOf(ctx, [...attempts.values()])),
    truncated,
  };
}

/** The events of the seeds, and of their attempts. */
async function eventsById(ctx: ReadContext, { events, attempts }: Seeds): Promise<EventView[]> {
  const missing = attempts.map(({ event_id }) => event_id).filter((id) => !events.some((event) => event.id === id));
  return [...events, ...(await newestOfEach(ctx, { ...own, table: EVENTS, columns: EVENT_COLUMNS, values: missing }))];
}

function replaysById(ctx: ReadContext, origins: readonly string[]): Promise<ReplayView[]> {
  const columns = columnsExcept(WEBHOOK_REPLAYS, HIDDEN);
  const values = origins.filter((id) => !isRequest(id));
  return newestOfEach(ctx, { ...own, table: WEBHOOK_REPLAYS, columns, values });
}

/** The creation and the end of replays: two changes at most. */
function changesOfReplays(ctx: ReadContext, values: readonly string[]): Promise<AuditView[]> {
  const index = 'audit_events_target';
  return newestOfEach(ctx, { table: AUDIT_EVENTS, columns: AUDIT_VIEW, index, column: 'target_id', values, each: 2 });
}

async function requestsById(
  ctx: ReadContext,
  { requests }: Seeds,
  ids: readonly string[],
): Promise<Map<string, RequestRow | null>> {
  const all = new Map<string, RequestRow | null>(ids.map((id) => [id, null]));
  const values = ids.filter((id) => !requests.some((request) => request.id === id));
  const found = await newestOfEach(ctx, { ...own, table: REQUESTS, columns: columnsOf(REQUESTS), values });
  for (const row of [...requests, ...found]) all.set(row.id, row);
  return all;
}

function endpointsOf(ctx: ReadContext, attempts: readonly AttemptRow[]): Promise<EndpointView[]> {
  const values = attempts.map(({ endpoint_id }) => endpoint_id);
  return newestOfEach(ctx, { ...own, table: WEBHOOK_ENDPOINTS, columns: ENDPOINT_COLUMNS, values });
}

/** Looks rows up by their ids. */
const own = { index: null, column: 'id', each: 1 } as const;

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function defined(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null);
}

function isRequest(id: string): boolean {
  return id.startsWith('req_');
}
