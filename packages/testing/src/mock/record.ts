import type {
  AuditEvent,
  EventPayloads,
  EventType,
  PlatformEvent,
  WebhookDelivery,
  WebhookEndpoint,
} from '@plat/contract';
import type { Credential } from './gate.ts';
import type { World } from './world.ts';

interface Recorder {
  readonly world: World;
  readonly requestId: string;
  readonly now: number;
}

/** Records a change and its events. */
export interface AuditRecorder extends Recorder {
  /** Who made the change. */
  readonly credential: Credential;
}

/** Records an event with a delivery for every subscribed endpoint. The mock does not send deliveries. */
export function emit<T extends EventType>({ world, requestId, now }: Recorder, type: T, data: EventPayloads[T]): void {
  const id = world.newId('event');
  const created = new Date(now).toISOString();
  // The signature guarantees that type and payload match.
  const event = { id, object: 'event', type, created, tenant_id: world.tenant.id, data } as PlatformEvent;
  world.events.set(id, event);
  world.causes.set(id, requestId);
  for (const endpoint of subscribersOf(world, type)) addDelivery({ world, now }, event, endpoint);
}

/** Returns the enabled endpoints that subscribe to a type. */
export function subscribersOf({ endpoints }: World, type: EventType): WebhookEndpoint[] {
  return [...endpoints.values()].filter(
    ({ status, events }) => status === 'enabled' && (events.includes('*') || events.includes(type)),
  );
}

/** Records a first attempt. */
export function addDelivery(
  { world, now }: Pick<Recorder, 'world' | 'now'>,
  event: PlatformEvent,
  endpoint: WebhookEndpoint,
): WebhookDelivery {
  const at = new Date(now).toISOString();
  const delivery: WebhookDelivery = {
    object: 'webhook_delivery',
    id: world.newId('webhook_delivery'),
    event_id: event.id,
    event_type: event.type,
    endpoint_id: endpoint.id,
    attempt: 1,
    status: 'pending',
    response_status: null,
    response_headers: null,
    response_body: null,
    error_class: null,
    error: null,
    remote_address: null,
    duration_ms: null,
    timings: null,
    scheduled_at: at,
    attempted_at: null,
    created_at: at,
    updated_at: at,
  };
  world.deliveries.set(delivery.id, delivery);
  return delivery;
}

interface Shown {
  readonly object: string;
  readonly id: string;
}

/** Records a change of an object in the audit trail, with the changed fields if the previous object is given. */
export function audit<T extends Shown>(
  { world, requestId, now, credential: { type, id: keyId, appId } }: AuditRecorder,
  action: string,
  after: T,
  before?: T,
): void {
  const id = world.newId('audit_event');
  const event: AuditEvent = {
    object: 'audit_event',
    id,
    actor: type === 'api_key' ? { type, id: keyId } : { type: 'oauth_app', id: appId },
    action,
    target: { type: after.object, id: after.id },
    changes: before ? changesOf(before, after) : null,
    request_id: requestId,
    session_id: null,
    ip: '127.0.0.1',
    created_at: new Date(now).toISOString(),
  };
  world.auditEvents.set(id, event);
}

function changesOf(before: object, after: object): AuditEvent['changes'] {
  const changed = Object.entries(after).filter(
    ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name)),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, { before: Reflect.get(before, name), after: value }]),
  );
}

/** Returns whether two objects differ in anything but `updated_at`. */
export function differs(before: object, after: object): boolean {
  return Object.keys(changesOf(before, after) ?? {}).length > 0;
}
