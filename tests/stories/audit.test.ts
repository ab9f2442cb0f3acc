import { HEADERS, isId } from '@plat/contract';
import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

let now = Date.parse('2026-03-01T00:00:00.000Z');
const story = useServer({ clock: () => now, env: { PLAT_DISPATCH: 'false' } });
let api: Api;
let client: { id: string };
let created: Awaited<ReturnType<Api>>;

/** Three changes, a minute apart: a client created, a client changed, the tenant renamed. */
beforeAll(async () => {
  api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  created = await api('/v1/clients', { body: { name: 'Acme' } });
  client = created.body;
  now += 60_000;
  await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'Acme Ltd', domain: 'acme.example' } });
  now += 60_000;
  await api('/v1/tenant', { method: 'PATCH', body: { name: 'Harbour' } });
});

const list = async (query = '') => (await api(`/v1/audit/events?${query}`)).body.data;
const actions = async (query: string) => (await list(query)).map(({ action }: { action: string }) => action);

test('an audit event has the actor, the change, the time and the request id', async () => {
  const [, updated, first] = await list();
  expect(first).toEqual({
    object: 'audit_event',
    id: expect.stringMatching(/^aud_/),
    actor: { type: 'api_key', id: expect.stringMatching(/^key_/) },
    action: 'client.created',
    target: { type: 'client', id: client.id },
    changes: null,
    request_id: created.headers.get(HEADERS.requestId),
    session_id: null,
    ip: expect.stringMatching(/127\.0\.0\.1$/),
    created_at: '2026-03-01T00:00:00.000Z',
  });
  expect(updated.changes).toEqual({
    name: { before: 'Acme', after: 'Acme Ltd' },
    custom_domain: { before: null, after: 'acme.example' },
  });
  expect((await api(`/v1/audit/events/${first.id}`)).body).toEqual(first);
});

test('the audit trail is newest first, with pages in both directions', async () => {
  const all = await list();
  expect(all.map(({ action }: { action: string }) => action)).toEqual([
    'tenant.updated',
    'client.updated',
    'client.created',
  ]);
  expect(await list(`limit=1&starting_after=${all[0].id}`)).toEqual([all[1]]);
  expect(await list(`limit=1&ending_before=${all[2].id}`)).toEqual([all[1]]);
  expectRefusal(await api(`/v1/audit/events?starting_after=${client.id}`), 'INVALID_CURSOR');
});

test('filters narrow the audit trail, one or several', async () => {
  const [{ actor }] = await list();
  expect(await actions('action=client.updated')).toEqual(['client.updated']);
  expect(await actions('action=client.unheard_of')).toEqual([]);
  expect(await actions(`target_id=${client.id}`)).toEqual(['client.updated', 'client.created']);
  expect(await actions(`actor_id=${actor.id}`)).toHaveLength(3);
  expect(await actions('actor_id=usr_01hzzzzzzzzzzzzzzzzzzzzzzz')).toEqual([]);
  expect(await actions('session_id=ses_01hzzzzzzzzzzzzzzzzzzzzzzz')).toEqual([]);
  expect(await actions(`actor_id=${actor.id}&target_id=${client.id}&action=client.created`)).toEqual([
    'client.created',
  ]);
});

test('time bounds are exclusive, and accept any UTC offset', async () => {
  expect(await actions('created_after=2026-03-01T00:00:00Z')).toEqual(['tenant.updated', 'client.updated']);
  expect(await actions('created_before=2026-03-01T00:01:00Z')).toEqual(['client.created']);
  expect(await actions('created_after=2026-03-01T01:00:30%2B01:00&created_before=2026-03-01T00:01:30Z')).toEqual([
    'client.updated',
  ]);
  // Microseconds, as Python writes them: what is not before such a time is after it.
  expect(await actions('created_before=2026-03-01T00:01:00.000001Z')).toEqual(['client.updated', 'client.created']);
  expect(await actions('created_after=2026-03-01T00:01:00.000001Z')).toEqual(['tenant.updated']);
  expect(await actions('created_before=2026-03-01T00:01:00.000000Z')).toEqual(['client.created']);
});

test.each([
  ['action=Client+Created', 'action'],
  ['action=client', 'action'],
  ['actor_id=me', 'actor_id'],
  ['actor_id=xyz_01hzzzzzzzzzzzzzzzzzzzzzzz', 'actor_id'],
  ['target_id=usr_1', 'target_id'],
  ['created_after=yesterday', 'created_after'],
  ['created_before=2026-02-30T00:00:00Z', 'created_before'],
  ['created_before=2025-02-29T12:00:00%2B01:00', 'created_before'],
  ['created_before=2026-03-01', 'created_before'],
  ['type=client', 'type'],
])('the query %s is INVALID_REQUEST and names the parameter', async (query, field) => {
  expectRefusal(await api(`/v1/audit/events?${query}`), 'INVALID_REQUEST', [field]);
});

test.each(['aud_01hzzzzzzzzzzzzzzzzzzzzzzz', 'aud_x', 'evt_01hzzzzzzzzzzzzzzzzzzzzzzz', '%00'])(
  '%s is AUDIT_EVENT_NOT_FOUND',
  async (id) => {
    expectRefusal(await api(`/v1/audit/events/${id}`), 'AUDIT_EVENT_NOT_FOUND');
  },
);

test('another tenant sees none of the audit events, by id, by filter or in the list', async () => {
  const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const [{ id, actor }] = await list();
  expectRefusal(await other(`/v1/audit/events/${id}`), 'AUDIT_EVENT_NOT_FOUND');
  for (const query of ['', `actor_id=${actor.id}`, `target_id=${client.id}`]) {
    expect((await other(`/v1/audit/events?${query}`)).body.data).toEqual([]);
  }
});

test('a refused change leaves no audit event, and the audit trail cannot be written', async () => {
  const before = await list();
  expectRefusal(await api('/v1/clients', { body: { name: 'Acme', slug: 'acme' } }), 'SLUG_IN_USE');
  const [{ id }] = before;
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    expectRefusal(await api(`/v1/audit/events/${id}`, { method }), 'NOT_FOUND');
  }
  expect(await list()).toEqual(before);
});

test('the timestamps and ids of an audit event have the time of the change', async () => {
  const events = await list();
  for (const event of events) expect(isId('audit_event', event.id)).toBe(true);
  const times = events.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
});
