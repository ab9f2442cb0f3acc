import { LIMITS, type WebhookEndpoint, type WebhookReplay } from '@plat/contract';
import { type Answers, createdWithin, deleted, find, laterThan, matching, pageById } from '../call.ts';
import { addDelivery, audit, differs, subscribersOf } from '../record.ts';
import { invalid, Refusal } from '../refusal.ts';
import { objectOf } from '../trace-entries.ts';
import { targetProblem } from '../webhook-target.ts';
import type { World } from '../world.ts';

export const webhooks: Answers<
  | 'webhooks.endpoints.list'
  | 'webhooks.endpoints.create'
  | 'webhooks.endpoints.get'
  | 'webhooks.endpoints.update'
  | 'webhooks.endpoints.delete'
  | 'webhooks.endpoints.rotate_secret'
  | 'webhooks.events.list'
  | 'webhooks.events.get'
  | 'webhooks.events.replay'
  | 'webhooks.deliveries.list'
  | 'webhooks.deliveries.get'
  | 'webhooks.replays.list'
  | 'webhooks.replays.create'
  | 'webhooks.replays.get'
  | 'webhooks.replays.cancel'
> = {
  'webhooks.endpoints.list': (call) => {
    const { status } = call.query;
    return pageById(call, 'webhook_endpoint', matching(call.world.endpoints, { status }));
  },
  'webhooks.endpoints.create': (call) => {
    const { world, body, now } = call;
    const id = world.newId('webhook_endpoint');
    refuseBadUrl(body.url);
    // As on a test server, which has the quotas of production tenants.
    if (world.endpoints.size >= LIMITS.quotas.webhook_endpoints.production) throw new Refusal('WEBHOOK_ENDPOINT_LIMIT');
    refuseTakenUrl(world, body.url, id);
    const at = new Date(now).toISOString();
    const endpoint: WebhookEndpoint = {
      object: 'webhook_endpoint',
      id,
      url: body.url,
      description: body.description ?? null,
      events: body.events,
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      paused_until: null,
      missed_since: null,
      created_at: at,
      updated_at: at,
    };
    world.endpoints.set(id, endpoint);
    audit(call, 'webhook_endpoint.created', endpoint);
    return { ...endpoint, secret: newSecret(world) };
  },
  'webhooks.endpoints.get': ({ world, path }) => endpointOf(world, path.endpoint_id),
  'webhooks.endpoints.update': (call) => {
    const { world, path, body, now } = call;
    if (body.url !== undefined) refuseBadUrl(body.url);
    const before = endpointOf(world, path.endpoint_id);
    const status = body.status ?? before.status;
    const reason = before.status === 'disabled' ? before.disabled_reason : 'disabled by request';
    const after: WebhookEndpoint = {
      ...before,
      ...body,
      disabled_reason: status === 'enabled' ? null : reason,
      missed_since: status === 'disabled' ? (before.missed_since ?? new Date(now).toISOString()) : before.missed_since,
      updated_at: laterThan(before.updated_at, now),
    };
    if (!differs(before, after)) return before;
    refuseTakenUrl(world, after.url, after.id);
    world.endpoints.set(after.id, after);
    audit(call, 'webhook_endpoint.updated', after, before);
    return after;
  },
  'webhooks.endpoints.delete': (call) => {
    const endpoint = endpointOf(call.world, call.path.endpoint_id);
    call.world.endpoints.delete(endpoint.id);
    audit(call, 'webhook_endpoint.deleted', endpoint);
    return deleted('webhook_endpoint', endpoint.id);
  },
  'webhooks.endpoints.rotate_secret': (call) => {
    const { world, path, now } = call;
    const before = endpointOf(world, path.endpoint_id);
    const after = { ...before, updated_at: laterThan(before.updated_at, now) };
    world.endpoints.set(after.id, after);
    audit(call, 'webhook_endpoint.secret_rotated', after);
    return { ...after, secret: newSecret(world) };
  },

  'webhooks.events.list': (call) => {
    const { type, object_id: objectId } = call.query;
    const rows = [...call.world.events.values()].filter(
      (event) =>
        (type === undefined || event.type === type) &&
        (objectId === undefined || objectOf(event) === objectId) &&
        createdWithin(event.created, call.query),
    );
    return pageById(call, 'event', rows);
  },
  'webhooks.events.get': ({ world, path }) => find(world.events, path.event_id, 'WEBHOOK_EVENT_NOT_FOUND'),
  'webhooks.events.replay': (call) => {
    const { world, path, body, url, requestId } = call;
    const event = find(world.events, path.event_id, 'WEBHOOK_EVENT_NOT_FOUND');
    const { endpoint_id: endpointId } = body;
    if (endpointId !== undefined) enabled(world, endpointId);
    const to = subscribersOf(world, event.type).filter(({ id }) => endpointId === undefined || id === endpointId);
    if (endpointId !== undefined && to.length === 0) throw new Refusal('UNPROCESSABLE');
    const data = to.map((endpoint) => addDelivery(call, event, endpoint)).reverse();
    for (const { id } of data) world.causes.set(id, requestId);
    const withEndpoints = (endpoint_ids: readonly string[] | null) => ({ ...event, endpoint_ids });
    const endpointIds = data.map(({ endpoint_id }) => endpoint_id);
    audit(call, 'event.replayed', withEndpoints(endpointIds), withEndpoints(null));
    return { object: 'list', data, has_more: false, url };
  },
  'webhooks.deliveries.list': (call) => {
    const { event_id, endpoint_id, status } = call.query;
    const rows = matching(call.world.deliveries, { event_id, endpoint_id, status }).filter(({ created_at }) =>
      createdWithin(created_at, call.query),
    );
    return pageById(call, 'webhook_delivery', rows);
  },
  'webhooks.deliveries.get': ({ world, path }) =>
    find(world.deliveries, path.delivery_id, 'WEBHOOK_DELIVERY_NOT_FOUND'),

  'webhooks.replays.list': (call) => {
    const { status, endpoint_id } = call.query;
    return pageById(call, 'webhook_replay', matching(call.world.replays, { status, endpoint_id }));
  },
  'webhooks.replays.create': (call) => {
    const { world, body, now } = call;
    const since = Date.parse(body.since);
    const until = Math.min(body.until === undefined ? now : Date.parse(body.until), now);
    if (since >= now) throw invalid('INVALID_BODY', [{ path: 'since', message: 'must be in the past' }]);
    if (until <= since) throw invalid('INVALID_BODY', [{ path: 'until', message: 'must be later than since' }]);
    if (body.endpoint_id !== undefined) enabled(world, body.endpoint_id);
    const unfinished = [...world.replays.values()].filter(({ status }) => status === 'pending').length;
    if (unfinished >= LIMITS.webhookReplays.unfinished) throw new Refusal('UNPROCESSABLE');
    const { endpoint_id = null, select = 'undelivered', event_types } = body;
    const at = new Date(now).toISOString();
    const replay: WebhookReplay = {
      object: 'webhook_replay',
      id: world.newId('webhook_replay'),
      endpoint_id,
      select,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      event_types: event_types ? [...new Set(event_types)] : null,
      status: 'pending',
      examined_count: 0,
      scheduled_count: 0,
      total_count: null,
      completed_at: null,
      created_at: at,
      updated_at: at,
    };
    world.replays.set(replay.id, replay);
    if (select !== 'failed' && event_types === undefined && until === now)
      world.cleared.set(replay.id, clearMissed(world, endpoint_id, since));
    audit(call, 'webhook_replay.created', replay);
    return replay;
  },
  'webhooks.replays.get': ({ world, path }) => find(world.replays, path.replay_id, 'WEBHOOK_REPLAY_NOT_FOUND'),
  'webhooks.replays.cancel': (call) => {
    const { world, path, now } = call;
    const before = find(world.replays, path.replay_id, 'WEBHOOK_REPLAY_NOT_FOUND');
    if (before.status !== 'pending') throw new Refusal('UNPROCESSABLE');
    const after: WebhookReplay = { ...before, status: 'canceled', updated_at: laterThan(before.updated_at, now) };
    world.replays.set(after.id, after);
    for (const [id, missed_since] of world.cleared.get(after.id) ?? []) {
      const endpoint = world.endpoints.get(id);
      if (endpoint?.missed_since === null) world.endpoints.set(id, { ...endpoint, missed_since });
    }
    audit(call, 'webhook_replay.canceled', after, before);
    return after;
  },
};

function endpointOf(world: World, id: string): WebhookEndpoint {
  return find(world.endpoints, id, 'WEBHOOK_ENDPOINT_NOT_FOUND');
}

function enabled(world: World, id: string): WebhookEndpoint {
  const endpoint = endpointOf(world, id);
  if (endpoint.status === 'disabled') throw new Refusal('UNPROCESSABLE');
  return endpoint;
}

/** Clears `missed_since` of enabled endpoints before a replay of all events since `since`, in ms. Returns what it cleared. */
function clearMissed({ endpoints }: World, endpointId: string | null, since: number): ReadonlyMap<string, string> {
  const cleared = new Map<string, string>();
  for (const [id, endpoint] of endpoints) {
    const { status, missed_since } = endpoint;
    if (endpointId !== null && id !== endpointId) continue;
    if (status !== 'enabled' || missed_since === null || Date.parse(missed_since) < since) continue;
    endpoints.set(id, { ...endpoint, missed_since: null });
    cleared.set(id, missed_since);
  }
  return cleared;
}

function refuseBadUrl(url: string): void {
  const message = targetProblem(url);
  if (message !== null) throw invalid('INVALID_BODY', [{ path: 'url', message }]);
}

function refuseTakenUrl({ endpoints }: World, url: string, id: string): void {
  const isSame = (other: WebhookEndpoint): boolean => other.id !== id && new URL(other.url).href === new URL(url).href;
  if ([...endpoints.values()].some(isSame)) throw new Refusal('WEBHOOK_URL_IN_USE');
}

function newSecret(world: World): string {
  world.secrets += 1;
  return `whsec_mock${String(world.secrets).padStart(39, '0')}`;
}
