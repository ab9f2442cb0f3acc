import type { PlatformEvent, TraceEntry, TraceSubject, WebhookDelivery } from '@plat/contract';
import type { World } from './world.ts';

/** Returns all entries of the world with their causes. */
export function entriesOf({
  requests,
  auditEvents,
  events,
  deliveries,
  replays,
  endpoints,
  causes,
}: World): TraceEntry[] {
  const changes = [...auditEvents.values()];
  const causeOf = (request: string | null, target: string): string | null =>
    changes.find((change) => change.request_id === request && change.target.id === target)?.id ?? request;
  return [
    ...[...requests.values()].map((request): TraceEntry => {
      const { id, created_at: at } = request;
      return { kind: 'request', id, at, caused_by: null, request };
    }),
    ...changes.map((change): TraceEntry => {
      const { id, created_at: at, request_id } = change;
      return { kind: 'change', id, at, caused_by: request_id, change };
    }),
    ...[...events.values()].map((event): TraceEntry => {
      const { id, created: at } = event;
      return { kind: 'event', id, at, caused_by: causeOf(causes.get(id) ?? null, objectOf(event)), event };
    }),
    ...[...deliveries.values()].map((delivery): TraceEntry => {
      const { id, scheduled_at: at, event_id } = delivery;
      const request = causes.get(id);
      const cause = request === undefined ? event_id : causeOf(request, event_id);
      return { kind: 'attempt', id, at, caused_by: cause, delivery, endpoint: endpointOf(delivery), sent: null };
    }),
    ...[...replays.values()].map((replay): TraceEntry => {
      const { id, created_at: at } = replay;
      const change = changes.find(({ target, action }) => target.id === id && action === 'webhook_replay.created');
      return { kind: 'replay', id, at, caused_by: change?.id ?? null, replay };
    }),
  ];

  function endpointOf({ endpoint_id }: WebhookDelivery) {
    const endpoint = endpoints.get(endpoint_id);
    if (!endpoint) return null;
    const { id, url, status, paused_until } = endpoint;
    return { id, url, status, paused_until };
  }
}

/** Returns true if a trace of the subject starts from the entry. */
export function isAbout({ type, id }: TraceSubject, entry: TraceEntry): boolean {
  if (entry.id === id) return true;
  switch (entry.kind) {
    case 'request':
      return type === 'api_key' && entry.request?.credential.id === id;
    case 'change':
      return entry.change.target.id === id || (type === 'user' && entry.change.actor.id === id);
    case 'event':
      return objectOf(entry.event) === id;
    case 'attempt':
      return type === 'webhook_endpoint' && entry.delivery.endpoint_id === id;
    default:
      return false;
  }
}

/** Members and owners have no id and belong to their group. */
export function objectOf({ data }: PlatformEvent): string {
  if ('id' in data) return data.id;
  return 'group_id' in data ? data.group_id : data.app_id;
}
