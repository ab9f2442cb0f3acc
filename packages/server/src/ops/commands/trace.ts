import { isId, type LoggedRequest, type PlatformEvent, timeOfId } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { select } from '../../db/sql.ts';
import type { AuditEventRow } from '../../db/tables/audit-events.ts';
import type { EventRow } from '../../db/tables/events.ts';
import { isoTime } from '../../kernel/clock.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import { getRequest } from '../../resources/requests/requests.service.ts';
import { listDeliveries } from '../../resources/webhook-deliveries/webhook-deliveries.service.ts';
import { getEvent } from '../../resources/webhook-events/webhook-events.service.ts';
import { inspect } from './inspection.ts';
import { CommandError, type Operator } from './operator.ts';
import { tenantOf } from './tenant-of.ts';

/** A step of a request or an event. A type alias, so that it is assignable to a printed row. */
type Step = { readonly at: string; readonly step: string; readonly id: string; readonly what: string };

/** Longest request, in ms: its audit entries are sought in this time. */
const REQUEST_MS = 120_000;
const MAX_ATTEMPTS = 10_000;

/**
 * Returns the steps of a request (audit entries, events, delivery attempts) or of an event, in the order of time.
 * @throws {@link CommandError} for an id that is of neither
 */
export async function trace(operator: Operator, tenantId: string, id: string): Promise<readonly Step[]> {
  const { db, now } = operator;
  await tenantOf(db, tenantId);
  const ctx: ReadContext = { db, tenantId, now, transaction: null };
  const steps = isId('event', id)
    ? await eventSteps(operator, await getEvent(ctx, id), tenantId)
    : isId('request', id)
      ? await requestSteps(operator, ctx, id)
      : undefined;
  if (!steps) throw new CommandError(`${id} is the id of neither a request nor an event`);
  return steps.toSorted((a, b) => a.at.localeCompare(b.at));
}

async function requestSteps(operator: Operator, ctx: ReadContext, id: string): Promise<Step[]> {
  const audits = await auditsOf(ctx, id);
  const events = await Promise.all(audits.map((audit) => eventsOf(ctx, audit)));
  const attempts = await Promise.all(events.flat().map((event) => eventSteps(operator, event, ctx.tenantId)));
  // Only failed requests of a production tenant are logged by default.
  const request = await getRequest(ctx, id).catch(() => null);
  return [...(request ? [requestStep(request)] : []), ...audits.map(auditStep), ...attempts.flat()];
}

/** The entries with the id of a request, in the range of ids of its time: there is no index on the request. */
function auditsOf({ db, tenantId }: ReadContext, requestId: string): Promise<AuditEventRow[]> {
  const at = timeOfId(requestId);
  return select<AuditEventRow>(
    db,
    `SELECT * FROM audit_events
     WHERE tenant_id = :tenantId AND id >= :from AND id < :below AND request_id = :requestId ORDER BY id`,
    {
      tenantId,
      requestId,
      from: lowestIdAt('audit_event', at - REQUEST_MS),
      below: lowestIdAt('audit_event', at + REQUEST_MS),
    },
  );
}

/** The events that a change emitted: they have its time and its object. */
async function eventsOf(
  { db, tenantId }: ReadContext,
  { created_at: at, target_id }: AuditEventRow,
): Promise<PlatformEvent[]> {
  const rows = await select<Pick<EventRow, 'payload'>>(
    db,
    'SELECT payload FROM events WHERE tenant_id = :tenantId AND id >= :from AND id < :below ORDER BY id LIMIT 1000',
    { tenantId, from: lowestIdAt('event', at), below: lowestIdAt('event', at + 1) },
  );
  return rows
    .map(({ payload }) => JSON.parse(payload) as PlatformEvent)
    .filter(({ data }) => 'id' in data && data.id === target_id);
}

async function eventSteps(operator: Operator, event: PlatformEvent, tenantId: string): Promise<Step[]> {
  const params = { event_id: event.id, limit: MAX_ATTEMPTS };
  const attempts = await inspect(operator, tenantId, listDeliveries, params);
  const own = { at: event.created, step: 'event', id: event.id, what: event.type };
  return [
    own,
    ...attempts.map(({ id, attempt, endpoint_id, status, response_status, error, attempted_at, scheduled_at }) => ({
      at: attempted_at ?? scheduled_at,
      step: 'delivery',
      id,
      what: `attempt ${attempt} to ${endpoint_id}: ${status}${response_status ? ` ${response_status}` : ''}${error ? ` (${error})` : ''}`,
    })),
  ];
}

function requestStep({ id, created_at, method, path, status, error }: LoggedRequest): Step {
  return {
    ...{ at: created_at, step: 'request', id },
    what: `${method} ${path} ${status ?? 'aborted'}${error ? ` ${error.code}` : ''}`,
  };
}

function auditStep({ id, created_at, action, target_id, actor_type, actor_id }: AuditEventRow): Step {
  const actor = actor_id === null ? actor_type : `${actor_type} ${actor_id}`;
  return { at: isoTime(created_at), step: 'audit', id, what: `${action} of ${target_id} by ${actor}` };
}
