import { HEADERS, LIMITS } from '@plat/contract';
import { createTestServer, execute, newId, select, unitOfWork } from '@plat/server/testing';
import { verify } from '@plat/webhooks';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { expectLockWait } from '../support/lock-wait.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { endOf, insertDelivery, insertUnsentEvents, replayAll } from '../support/replays.ts';
import { useServer } from '../support/story.ts';

// A replay waits for a moment before it begins, and some stories have several.
vi.setConfig({ testTimeout: 120_000 });

const HOUR_MS = 3_600_000;
const HOUR_AGO = Date.now() - HOUR_MS;
const DAY_AGO = new Date(Date.now() - 24 * HOUR_MS).toISOString();
const iso = (ms: number) => new Date(ms).toISOString();

const story = useServer();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

let tenantId: string;
let api: Api;
beforeEach(async () => {
  const tenant = await story.server.createTenant();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});

let endpoints = 0;
const addEndpoint = async (
  events: readonly string[] = ['*'],
): Promise<{ id: string; secret: string; path: string }> => {
  const path = `/${++endpoints}`;
  const { body } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url + path, events } });
  return { ...body, path };
};
const setStatus = (id: string, status: 'enabled' | 'disabled') =>
  api(`/v1/webhooks/endpoints/${id}`, { method: 'PATCH', body: { status } });
const arrivedAt = ({ path }: { path: string }) => receiver.received.filter((one) => one.path === path);
/** Returns the events that an endpoint got, in the order of their arrival. */
const eventsAt = (endpoint: { path: string }) => arrivedAt(endpoint).map(({ headers }) => headers[HEADERS.eventId]);
/** Waits until the tenant has no delivery to send. Deliveries that stories insert as pending are due in a day. */
const settled = async (): Promise<void> => {
  const due = async () => {
    const { body } = await api('/v1/webhooks/deliveries?status=pending&limit=100');
    const isDue = ({ scheduled_at }: { scheduled_at: string }) => Date.parse(scheduled_at) < Date.now() + HOUR_MS;
    return body.data.filter(isDue).length;
  };
  await expect.poll(due, { timeout: 90_000, interval: 50 }).toBe(0);
};
const insertEvents = (at: readonly number[], type?: 'client.created' | 'client.updated') =>
  insertUnsentEvents(story.server, { tenantId, at, ...(type && { type }) });

test('events of the time while an endpoint was disabled arrive after it is enabled: attempt 1, with a new signature', async () => {
  const endpoint = await addEndpoint(['client.created']);
  await api('/v1/clients', { body: { name: 'Before' } });
  await settled();
  await setStatus(endpoint.id, 'disabled');
  const missed: string[] = [];
  for (const name of ['One', 'Two', 'Three']) missed.push((await api('/v1/clients', { body: { name } })).body.id);
  await setStatus(endpoint.id, 'enabled');
  const { body: history } = await api('/v1/webhooks/deliveries');

  const begun = Math.floor(Date.now() / 1000);
  const replay = await replayAll(api, { since: DAY_AGO, endpoint_id: endpoint.id });
  expect(replay).toMatchObject({
    object: 'webhook_replay',
    endpoint_id: endpoint.id,
    select: 'undelivered',
    since: DAY_AGO,
    event_types: null,
    status: 'completed',
    scheduled_count: 3,
    examined_count: replay.total_count,
    completed_at: replay.updated_at,
  });
  await settled();
  const arrived = arrivedAt(endpoint).slice(1);
  const events = arrived.map(({ body, headers }) => verify(body, headers, { secrets: endpoint.secret }));
  expect(events.map(({ data }) => (data as { id: string }).id).sort()).toEqual(missed.sort());
  for (const { headers } of arrived) {
    const [, t] = /t=(\d+)/.exec(String(headers[HEADERS.signature])) ?? [];
    expect(Number(t)).toBeGreaterThanOrEqual(begun);
  }
  const { body: events_ } = await api('/v1/webhooks/events?type=client.created');
  const stored = new Map(events_.data.map((event: { id: string }) => [event.id, event]));
  for (const event of events) expect(JSON.parse(JSON.stringify(event))).toEqual(stored.get(event.id));

  const { body: after } = await api('/v1/webhooks/deliveries');
  expect(after.data.slice(3)).toEqual(history.data);
  for (const delivery of after.data.slice(0, 3)) expect(delivery).toMatchObject({ attempt: 1, status: 'succeeded' });
  const { body: trail } = await api('/v1/audit/events?action=webhook_replay.created');
  expect(trail.data).toMatchObject([{ target: { type: 'webhook_replay', id: replay.id } }]);
});

describe('a replay with a selection', () => {
  const HISTORIES = {
    never: [],
    failed: ['failed'],
    retried: ['retrying', 'retrying', 'failed'],
    succeeded: ['succeeded'],
    'failed, then succeeded': ['failed', 'succeeded'],
    'succeeded, then failed': ['succeeded', 'failed'],
    'failed, then pending': ['failed', 'pending'],
    underway: ['retrying', 'pending'],
  } as const;

  test.each([
    ['failed', ['failed', 'retried', 'succeeded, then failed']],
    ['missed', ['never']],
    ['undelivered', ['never', 'failed', 'retried', 'succeeded, then failed']],
  ])('%s sends: %j', async (chosen, expected) => {
    const endpoint = await addEndpoint();
    const other = await addEndpoint(['tenant.suspended']);
    const names = Object.keys(HISTORIES);
    const ids = await insertEvents(names.map((_, n) => HOUR_AGO + n));
    for (const [n, history] of Object.values(HISTORIES).entries()) {
      const eventId = ids[n] ?? '';
      for (const [step, status] of history.entries()) {
        await insertDelivery(story.server, { tenantId, eventId, endpointId: endpoint.id, status, at: HOUR_AGO + step });
      }
      // Deliveries to another endpoint do not count.
      await insertDelivery(story.server, { tenantId, eventId, endpointId: other.id, status: 'failed', at: HOUR_AGO });
    }
    const replay = await replayAll(api, { since: DAY_AGO, endpoint_id: endpoint.id, select: chosen });
    expect(replay).toMatchObject({ select: chosen, total_count: 8, examined_count: 8 });
    expect(replay.scheduled_count).toBe(expected.length);
    await settled();
    const nameOf = (id: unknown) => names[ids.indexOf(String(id))];
    expect(eventsAt(endpoint).map(nameOf).sort()).toEqual([...expected].sort());
    expect(arrivedAt(other)).toEqual([]);

    const again = await replayAll(api, { since: DAY_AGO, endpoint_id: endpoint.id, select: chosen });
    expect(again.scheduled_count).toBe(0);
  });

  test('sends events created from `since` on and before `until`, of the selected types that the endpoint receives now', async () => {
    const endpoint = await addEndpoint(['client.created', 'client.updated', 'user.invited']);
    const created = await insertEvents([0, 1, 2, 3].map((n) => HOUR_AGO + n));
    const updated = await insertEvents(
      [1, 2].map((n) => HOUR_AGO + n),
      'client.updated',
    );
    const window = { since: iso(HOUR_AGO + 1), until: iso(HOUR_AGO + 3), endpoint_id: endpoint.id };

    const typed = { ...window, event_types: ['client.updated', 'user.invited', 'client.updated'] };
    expect(await replayAll(api, typed)).toMatchObject({
      event_types: ['client.updated', 'user.invited'],
      since: window.since,
      until: window.until,
      total_count: 2,
      scheduled_count: 2,
    });
    const narrow = { method: 'PATCH', body: { events: ['client.created'] } };
    await api(`/v1/webhooks/endpoints/${endpoint.id}`, narrow);
    expect(await replayAll(api, window)).toMatchObject({ total_count: 4, examined_count: 4, scheduled_count: 2 });
    expect(await replayAll(api, typed)).toMatchObject({ total_count: 2, scheduled_count: 0 });
    await settled();
    expect(eventsAt(endpoint).sort()).toEqual([...created.slice(1, 3), ...updated].sort());
  });
});

test('an endpoint has no missed events after all of them are replayed, and not before', async () => {
  const [endpoint, other] = [await addEndpoint(), await addEndpoint()];
  const missedSince = async ({ id }: { id: string }) =>
    (await api(`/v1/webhooks/endpoints/${id}`)).body.missed_since as string | null;
  for (const { id } of [endpoint, other]) {
    await setStatus(id, 'disabled');
    await setStatus(id, 'enabled');
  }
  const since = await missedSince(endpoint);
  expect(since).not.toBeNull();
  const window = { since: since ?? '', endpoint_id: endpoint.id };
  await replayAll(api, { ...window, select: 'failed' });
  await replayAll(api, { ...window, event_types: ['client.created'] });
  await replayAll(api, { ...window, until: iso(Date.parse(window.since) + 1) });
  expect(await missedSince(endpoint)).toBe(since);
  await replayAll(api, { ...window, select: 'missed' });
  expect(await missedSince(endpoint)).toBeNull();
  expect(await missedSince(other)).not.toBeNull();
  await replayAll(api, { since: DAY_AGO });
  expect(await missedSince(other)).toBeNull();
});

test('events that an unfinished replay has not sent stay missed when its endpoint is disabled', async () => {
  const endpoint = await addEndpoint(['client.created']);
  await setStatus(endpoint.id, 'disabled');
  await api('/v1/clients', { body: { name: 'Missed' } });
  const since = (await setStatus(endpoint.id, 'enabled')).body.missed_since;
  const { body: replay } = await api('/v1/webhooks/replays', { body: { since, endpoint_id: endpoint.id } });
  await setStatus(endpoint.id, 'disabled');
  expect(await endOf(api, replay.id)).toMatchObject({ status: 'completed', scheduled_count: 0 });
  expect((await setStatus(endpoint.id, 'enabled')).body.missed_since).toBe(since);
  expect(await replayAll(api, { since, endpoint_id: endpoint.id })).toMatchObject({ scheduled_count: 1 });
});

// SQLite has one writer, so that no change can wait for the lock of a row.
test.skipIf(inject('database').kind === 'sqlite')(
  'a replay without an endpoint does not cover one that is enabled while it is created',
  async () => {
    const endpoint = await addEndpoint();
    const { body: disabled } = await setStatus(endpoint.id, 'disabled');
    const connection = await createConnection(story.database.url);
    await connection.beginTransaction();
    // Locks the gap in which the replay will be inserted.
    await connection.query('SELECT id FROM webhook_replays WHERE tenant_id = ? FOR UPDATE', [tenantId]);
    const creating = api('/v1/webhooks/replays', { body: { since: DAY_AGO } });
    await expectLockWait(story.server.db);
    await setStatus(endpoint.id, 'enabled');
    await connection.end();
    expect((await creating).status).toBe(202);
    const { body } = await api(`/v1/webhooks/endpoints/${endpoint.id}`);
    expect(body).toMatchObject({ status: 'enabled', missed_since: disabled.missed_since });
  },
);

// SQLite has one writer, so that no change can wait for the lock of a row.
test.skipIf(inject('database').kind === 'sqlite')(
  'events are missed too if their change began before the endpoint was disabled and was committed afterwards',
  async () => {
    const { db } = story.server;
    const made = await api('/v1/clients', { body: { name: 'Before' } });
    const path = `/v1/clients/${made.body.id}`;
    const endpoint = await addEndpoint(['client.updated']);
    const { changing, disabledAt } = await unitOfWork(db, async (transaction) => {
      const lock = 'UPDATE clients SET updated_at = updated_at + 1 WHERE id = :id';
      await execute(db, lock, { id: made.body.id }, transaction);
      const answer = api(path, { method: 'PATCH', body: { name: 'After' } });
      await expectLockWait(db);
      const { body } = await setStatus(endpoint.id, 'disabled');
      return { changing: { answer }, disabledAt: body.updated_at };
    });
    expect((await changing.answer).status).toBe(200);
    const { body: enabled } = await setStatus(endpoint.id, 'enabled');
    expect(enabled.missed_since < disabledAt).toBe(true);
    await replayAll(api, { since: enabled.missed_since, endpoint_id: endpoint.id });
    await settled();
    expect(arrivedAt(endpoint)).toHaveLength(1);
    expect((await api(`/v1/webhooks/endpoints/${endpoint.id}`)).body.missed_since).toBeNull();
  },
);

test('without `until` a replay sends all committed events, by the clock of any server', async () => {
  const endpoint = await addEndpoint();
  const [ahead] = await insertEvents([Date.now() + HOUR_MS]);
  const replay = await replayAll(api, { since: DAY_AGO, endpoint_id: endpoint.id });
  expect(replay).toMatchObject({ total_count: 1, scheduled_count: 1 });
  await settled();
  expect(eventsAt(endpoint)).toEqual([ahead]);
});

test('without an endpoint a replay goes to every enabled one that receives the type', async () => {
  const [all, some, off] = [await addEndpoint(), await addEndpoint(['client.updated']), await addEndpoint()];
  await setStatus(off.id, 'disabled');
  const created = await insertEvents([HOUR_AGO]);
  const updated = await insertEvents([HOUR_AGO + 1], 'client.updated');
  expect(await replayAll(api, { since: DAY_AGO })).toMatchObject({ endpoint_id: null, scheduled_count: 3 });
  await settled();
  expect(eventsAt(all).sort()).toEqual([...created, ...updated].sort());
  expect(eventsAt(some)).toEqual(updated);
  expect(arrivedAt(off)).toEqual([]);
});

test('a replay for a tenant without an enabled endpoint sends nothing, and ends', async () => {
  await insertEvents([HOUR_AGO]);
  expect(await replayAll(api, { since: DAY_AGO })).toMatchObject({
    status: 'completed',
    total_count: 1,
    scheduled_count: 0,
  });
});

test('events and endpoints of another tenant are not affected', async () => {
  const theirs = await addEndpoint();
  await insertEvents([HOUR_AGO]);
  const me = await story.server.createTenant();
  const mine = apiOf(story.server.baseUrl, me.apiKey);
  expect(await replayAll(mine, { since: DAY_AGO })).toMatchObject({ total_count: 0, scheduled_count: 0 });
  expectRefusal(
    await mine('/v1/webhooks/replays', { body: { since: DAY_AGO, endpoint_id: theirs.id } }),
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  );
  const replay = await replayAll(api, { since: DAY_AGO });
  expect(replay.scheduled_count).toBe(1);
  expectRefusal(await mine(`/v1/webhooks/replays/${replay.id}`), 'WEBHOOK_REPLAY_NOT_FOUND');
  expectRefusal(await mine(`/v1/webhooks/replays/${replay.id}/cancel`, { method: 'POST' }), 'WEBHOOK_REPLAY_NOT_FOUND');
});

test('replays are listed newest first, by status and by endpoint', async () => {
  const endpoint = await addEndpoint();
  const first = await replayAll(api, { since: DAY_AGO });
  const second = await replayAll(api, { since: DAY_AGO, endpoint_id: endpoint.id });
  const list = async (query: string) =>
    (await api(`/v1/webhooks/replays${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await list('')).toEqual([second.id, first.id]);
  expect(await list(`?endpoint_id=${endpoint.id}`)).toEqual([second.id]);
  expect(await list('?status=completed')).toEqual([second.id, first.id]);
  expect(await list('?status=canceled')).toEqual([]);
  expect(await list(`?limit=1&starting_after=${second.id}`)).toEqual([first.id]);
  expect(await list(`?ending_before=${first.id}`)).toEqual([second.id]);
});

describe('a replay is refused for', () => {
  const create = (body: object) => api('/v1/webhooks/replays', { body });

  test.each([
    ['a window in the future', { since: iso(Date.now() + HOUR_MS) }, ['since']],
    ['a window that ends before it begins', { since: DAY_AGO, until: iso(Date.parse(DAY_AGO) - 1) }, ['until']],
    ['an empty window', { since: DAY_AGO, until: DAY_AGO }, ['until']],
    ['no window', {}, ['since']],
    [
      'what is no time, selection, type or id',
      { since: '24h', select: 'all', event_types: ['x'], endpoint_id: 'x' },
      ['since', 'select', 'event_types.0', 'endpoint_id'],
    ],
    ['no type at all', { since: DAY_AGO, event_types: [] }, ['event_types']],
  ])('%s', async (_title, body, fields) => {
    expectRefusal(await create(body), 'INVALID_BODY', fields);
  });

  test('an endpoint that is disabled, or unknown', async () => {
    const { id } = await addEndpoint();
    await setStatus(id, 'disabled');
    expectRefusal(await create({ since: DAY_AGO, endpoint_id: id }), 'UNPROCESSABLE');
    expectRefusal(
      await create({ since: DAY_AGO, endpoint_id: newId('webhook_endpoint') }),
      'WEBHOOK_ENDPOINT_NOT_FOUND',
    );
  });

  test('a sixth replay while five have not ended, and canceling one that has', async () => {
    const { unfinished } = LIMITS.webhookReplays;
    // The replays wait: no process claims one that starts in an hour.
    for (let n = 0; n < unfinished; n++) {
      const { body } = await create({ since: DAY_AGO });
      await execute(story.server.db, 'UPDATE webhook_replays SET due_at = :later WHERE id = :id', {
        later: Date.now() + HOUR_MS,
        id: body.id,
      });
    }
    const refused = await create({ since: DAY_AGO });
    expectRefusal(refused, 'UNPROCESSABLE');
    expect(refused.body.message).toMatch(/cancel one/);
    const { body } = await api('/v1/webhooks/replays?limit=1');
    const cancel = () => api(`/v1/webhooks/replays/${body.data[0].id}/cancel`, { method: 'POST' });
    expect((await cancel()).body).toMatchObject({ status: 'canceled', completed_at: null });
    expectRefusal(await cancel(), 'UNPROCESSABLE');
    expect((await create({ since: DAY_AGO })).status).toBe(202);
    expectRefusal(
      await api(`/v1/webhooks/replays/${newId('webhook_replay')}/cancel`, { method: 'POST' }),
      'WEBHOOK_REPLAY_NOT_FOUND',
    );
  });
});

test('a canceled replay schedules no further deliveries; the scheduled ones are sent', async () => {
  const endpoint = await addEndpoint();
  const held: (() => void)[] = [];
  const free = () => {
    receiver.answer((_req, res) => res.writeHead(204).end());
    for (const answer of held.splice(0)) answer();
  };
  receiver.answer((_req, res) => held.push(() => res.writeHead(204).end()));
  try {
    await insertEvents(Array.from({ length: 3000 }, (_, n) => HOUR_AGO + n));
    const { body: created } = await api('/v1/webhooks/replays', { body: { since: DAY_AGO, endpoint_id: endpoint.id } });
    const progress = async () => (await api(`/v1/webhooks/replays/${created.id}`)).body;
    // The endpoint does not answer: the replay stops while a thousand deliveries are due.
    await expect.poll(async () => (await progress()).scheduled_count).toBeGreaterThan(800);
    const { status, body } = await api(`/v1/webhooks/replays/${created.id}/cancel`, { method: 'POST' });
    expect([status, body]).toMatchObject([200, { status: 'canceled', total_count: 3000, completed_at: null }]);
    expect(body.scheduled_count).toBeLessThanOrEqual(1000);
    expect(body.examined_count).toBe(body.scheduled_count);
    free();
    await settled();
    expect(await endOf(api, created.id)).toEqual(body);
    expect(new Set(eventsAt(endpoint)).size).toBe(body.scheduled_count);
    const { body: trail } = await api('/v1/audit/events?action=webhook_replay.canceled');
    expect(trail.data).toMatchObject([{ changes: { status: { before: 'running', after: 'canceled' } } }]);
  } finally {
    free();
  }
});

test('a replay of a suspended tenant waits until the tenant is reactivated', async () => {
  const endpoint = await addEndpoint(['client.created']);
  await insertEvents([HOUR_AGO]);
  const { body: waiting } = await api('/v1/webhooks/replays', { body: { since: DAY_AGO } });
  // Polled for the first time when the tenant is already suspended, however slow this machine is.
  const makeDue = (at: number) =>
    execute(story.server.db, 'UPDATE webhook_replays SET due_at = :at WHERE id = :id', { at, id: waiting.id });
  await makeDue(Date.now() + HOUR_MS);
  await story.server.setTenantStatus(tenantId, 'suspended');
  await makeDue(1);
  const turns = async () => {
    const sql = 'SELECT turn, status FROM webhook_replays WHERE id = :id';
    return (await select<{ turn: number; status: string }>(story.server.db, sql, { id: waiting.id }))[0];
  };
  await expect.poll(async () => (await turns())?.turn ?? 0).toBeGreaterThan(0);
  expect(await turns()).toMatchObject({ status: 'pending' });
  expect(arrivedAt(endpoint)).toEqual([]);
  await story.server.setTenantStatus(tenantId, 'active');
  expect(await endOf(api, waiting.id)).toMatchObject({ status: 'completed', scheduled_count: 1 });
});

test('a reset of the sandbox removes its replays', async () => {
  const sandbox = await story.server.createSandbox();
  const own = apiOf(story.server.baseUrl, sandbox.apiKey);
  const { body } = await own('/v1/webhooks/replays', { body: { since: DAY_AGO } });
  await story.server.resetSandbox(sandbox.tenantId);
  expectRefusal(await own(`/v1/webhooks/replays/${body.id}`), 'WEBHOOK_REPLAY_NOT_FOUND');
});

test('housekeeping removes ended replays 30 days after their creation', async () => {
  const server = await createTestServer({ databaseUrl: story.database.url, env: { PLAT_DISPATCH: 'false' } });
  const ids: string[] = [];
  for (const [age, dueAt] of [
    [31, null],
    [31, Date.now() + HOUR_MS],
    [29, null],
  ] as const) {
    const { body } = await api('/v1/webhooks/replays', { body: { since: DAY_AGO } });
    await endOf(api, body.id);
    const old = newId('webhook_replay', Date.now() - age * 24 * HOUR_MS);
    await execute(server.db, 'UPDATE webhook_replays SET id = :old, due_at = :dueAt WHERE id = :id', {
      old,
      dueAt,
      id: body.id,
    });
    ids.push(old);
  }
  expect(await server.housekeeping()).toMatchObject({ webhook_replays: 1 });
  const left = (await api('/v1/webhooks/replays')).body.data.map(({ id }: { id: string }) => id);
  expect(left).toEqual([ids[2], ids[1]]);
  await server.close();
});
