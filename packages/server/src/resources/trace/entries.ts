import { type PlatformEvent, type TraceAttempt, type TraceEntry, timeOfId } from '@plat/contract';
import { type AuditView, presentAuditEvent } from '../../accounts/present-audit-event.ts';
import { presentDelivery } from '../../accounts/present-delivery.ts';
import { presentReplay } from '../../accounts/present-replay.ts';
import { deliveryHeaders, shortenedSignature, signedAt } from '../../events/sending/headers.ts';
import { presentRequest } from '../../http/present-request.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import type { Chains, EndpointView } from './chains.ts';
import { type GrantView, grantSteps } from './grants.ts';
import type { AttemptRow, EventView, May } from './parts.ts';

interface EntryOptions {
  readonly may: May;
  readonly grants: readonly GrantView[];
  readonly now: number;
}

/** Returns the entries of the readable parts, in no order. */
export function entriesOf(chains: Chains, { may, grants, now }: EntryOptions): TraceEntry[] {
  const { requests, changes, events, attempts, replays, endpoints } = chains;
  const shownEvents = may('events') ? events : new Map<string, EventView>();
  const shownAttempts = may('attempts') ? attempts : new Map<string, AttemptRow>();
  const requestOf = (id: string | null) => (id !== null && requests.has(id) ? id : null);
  const shownChanges = may('changes') ? [...changes.values()] : [];
  const changeOf = (matches: (change: AuditView) => boolean) => shownChanges.find(matches)?.id ?? null;

  const causeOfEvent = ({ request_id, object_id, created }: EventView) =>
    changeOf((change) => isCauseOf(change, { request_id, object_id, created })) ??
    changeOf((change) => request_id !== null && change.request_id === request_id) ??
    requestOf(request_id);
  const earlier = previousAttempts([...attempts.values()]);
  const causeOfAttempt = ({ id, event_id, replayed_by }: AttemptRow) =>
    earlier.get(id) ??
    (replayed_by === null
      ? shownEvents.has(event_id)
        ? event_id
        : null
      : replays.has(replayed_by)
        ? replayed_by
        : (changeOf((change) => change.request_id === replayed_by && change.target_id === event_id) ??
          requestOf(replayed_by)));

  return [
    ...[...requests].map(([id, row]): TraceEntry => {
      const request = row && { ...presentRequest(row), credential: credentialOf(presentRequest(row)) };
      return { kind: 'request', id, at: isoTime(row?.created_at ?? timeOfId(id)), caused_by: null, request };
    }),
    ...shownChanges.map((row): TraceEntry => {
      const { id, created_at, request_id } = row;
      const change = presentAuditEvent(row);
      return { kind: 'change', id, at: isoTime(created_at), caused_by: requestOf(request_id), change };
    }),
    ...[...shownEvents.values()].map((row): TraceEntry => {
      const event = JSON.parse(row.payload) as PlatformEvent;
      return { kind: 'event', id: row.id, at: isoTime(row.created), caused_by: causeOfEvent(row), event };
    }),
    ...[...shownAttempts.values()].map((row) => attemptOf(row, causeOfAttempt(row), endpoints.get(row.endpoint_id))),
    ...[...replays.values()].map((row): TraceEntry => {
      const { id, created_at } = row;
      const cause = changeOf(({ target_id, action }) => target_id === id && action === 'webhook_replay.created');
      return { kind: 'replay', id, at: isoTime(created_at), caused_by: cause, replay: presentReplay(row) };
    }),
    ...(may('grants') ? grants.flatMap((grant) => grantSteps(grant, shownChanges, now)) : []),
  ];
}

/** A change has the object of its event, and its request; without a request, its time. */
function isCauseOf(change: AuditView, event: Pick<EventView, 'request_id' | 'object_id' | 'created'>): boolean {
  if (change.target_id !== event.object_id || change.request_id !== event.request_id) return false;
  return event.request_id !== null || change.created_at === event.created;
}

/** Every entry of the log of a tenant has a credential. */
function credentialOf({ credential }: ReturnType<typeof presentRequest>) {
  if (credential === null) throw new Error('a request of a tenant has no credential');
  return credential;
}

/** Returns attempt → the attempt before it at the same endpoint. A replay starts again with the first attempt. */
function previousAttempts(rows: readonly AttemptRow[]): ReadonlyMap<string, string> {
  const previous = new Map<string, string>();
  const latest = new Map<string, AttemptRow>();
  for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = (attempt: number) => `${row.event_id} ${row.endpoint_id} ${attempt}`;
    const before = latest.get(key(row.attempt - 1));
    if (before) previous.set(row.id, before.id);
    latest.set(key(row.attempt), row);
  }
  return previous;
}

function attemptOf(row: AttemptRow, cause: string | null, endpoint: EndpointView | undefined): TraceAttempt {
  const { replayed_by: _, signature_starts: starts, ...delivery } = row;
  const { attempted_at: attemptedAt, scheduled_at: scheduledAt } = row;
  return {
    kind: 'attempt',
    id: row.id,
    at: isoTime(attemptedAt ?? scheduledAt),
    caused_by: cause,
    delivery: presentDelivery(delivery),
    endpoint: endpoint ? { ...endpoint, paused_until: isoTimeOrNull(endpoint.paused_until) } : null,
    sent: attemptedAt === null ? null : sentBy(row, starts, attemptedAt),
  };
}

function sentBy({ id, event_id, event_type }: AttemptRow, starts: string | null, attemptedAt: number) {
  const signature = starts === null ? null : shortenedSignature(starts, attemptedAt);
  const flat = deliveryHeaders({ deliveryId: id, eventId: event_id, eventType: event_type, signature });
  const headers = flat.flatMap((name, index) => (index % 2 === 0 ? [{ name, value: flat[index + 1] ?? '' }] : []));
  return { signed_at: signedAt(attemptedAt), headers };
}
