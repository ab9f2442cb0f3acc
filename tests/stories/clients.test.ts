import { isId } from '@plat/contract';
import { select } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let tenantId: string;

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});

const create = async (body: object) => (await api('/v1/clients', { body })).body;
const patch = (id: string, body: unknown) => api(`/v1/clients/${id}`, { method: 'PATCH', body });

describe('create', () => {
  test('answers 201 with the whole client', async () => {
    const { status, body } = await api('/v1/clients', { body: { name: '  Acme  ', slug: 'acme' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'client',
      id: expect.stringMatching(/^cli_/),
      name: 'Acme',
      status: 'active',
      slug: 'acme',
      custom_domain: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(isId('client', body.id)).toBe(true);
    expect((await api(`/v1/clients/${body.id}`)).body).toEqual(body);
  });

  test('makes a unique slug from the name', async () => {
    const [first, second] = [await create({ name: 'Käfer & Co' }), await create({ name: 'Käfer & Co' })];
    expect(first.slug).toBe('kafer-co');
    expect(second.slug).toMatch(/^kafer-co-[0-9a-z]{7}$/);
  });

  test('a slug in use is SLUG_IN_USE; in another tenant it is free', async () => {
    await create({ name: 'One', slug: 'taken' });
    expectRefusal(await api('/v1/clients', { body: { name: 'Two', slug: 'taken' } }), 'SLUG_IN_USE');
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    expect((await other('/v1/clients', { body: { name: 'Two', slug: 'taken' } })).status).toBe(201);
  });

  test.each([
    ['no name', {}, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a blank name', { name: '   ' }, ['name']],
    ['a name that is no text', { name: 5 }, ['name']],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, ['name']],
    ['a NUL in the name', { name: 'a\0b' }, ['name']],
    ['half a surrogate pair', { name: 'a\ud800' }, ['name']],
    ['an unknown field', { name: 'A', nme: 'B' }, ['nme']],
    ['a field of the answer', { name: 'A', status: 'active' }, ['status']],
    ['a slug with a space', { name: 'A', slug: 'a b' }, ['slug']],
    ['several at once', { name: '', slug: 'A', x: 1 }, ['name', 'slug', 'x']],
    ['a null slug', { name: 'A', slug: null }, ['slug']],
    ['an array', [], ['']],
    ['a text', '"a"', ['']],
    ['null', 'null', ['']],
    ['malformed JSON', '{"name":', ['']],
    ['an own __proto__', '{"name":"A","__proto__":{"slug":"x"}}', ['__proto__']],
  ])('%s is INVALID_BODY and names the field', async (_title, body, fields) => {
    expectRefusal(await api('/v1/clients', { body }), 'INVALID_BODY', fields);
  });

  test('a body that is not declared as JSON, is empty, or is not UTF-8 is INVALID_BODY', async () => {
    expectRefusal(await api('/v1/clients', { body: '{}', headers: { 'content-type': 'text/plain' } }), 'INVALID_BODY');
    expectRefusal(await api('/v1/clients', { method: 'POST' }), 'INVALID_BODY');
    expectRefusal(await api('/v1/clients', { body: '{}', headers: { 'content-encoding': 'gzip' } }), 'INVALID_BODY');
  });

  test('a body over 256 KiB is PAYLOAD_TOO_LARGE', async () => {
    expectRefusal(await api('/v1/clients', { body: { name: 'a'.repeat(256 * 1024) } }), 'PAYLOAD_TOO_LARGE');
  });

  test('text of every script is stored unchanged', async () => {
    for (const name of ["Robert'); DROP TABLE clients;--", '株式会社 😀', 'a\\b"c%d_e', '$1 :name ?']) {
      const created = await create({ name });
      expect((await api(`/v1/clients/${created.id}`)).body.name).toBe(name);
    }
  });
});

describe('read', () => {
  test.each(['cli_01hzzzzzzzzzzzzzzzzzzzzzzz', 'cli_missing', 'nonsense', 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz', '%00'])(
    '%s is CLIENT_NOT_FOUND',
    async (id) => {
      expectRefusal(await api(`/v1/clients/${id}`), 'CLIENT_NOT_FOUND');
      expectRefusal(await patch(id, { name: 'x' }), 'CLIENT_NOT_FOUND');
      expectRefusal(await api(`/v1/clients/${id}`, { method: 'DELETE' }), 'CLIENT_NOT_FOUND');
    },
  );

  test('a client of another tenant is CLIENT_NOT_FOUND', async () => {
    const { id } = await create({ name: 'Mine' });
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    expectRefusal(await other(`/v1/clients/${id}`), 'CLIENT_NOT_FOUND');
    expectRefusal(await other(`/v1/clients/${id}`, { method: 'DELETE' }), 'CLIENT_NOT_FOUND');
  });
});

describe('update', () => {
  test('changes only the given fields', async () => {
    const before = await create({ name: 'Before', slug: 'before' });
    const { status, body } = await patch(before.id, { name: 'After', status: 'inactive', domain: 'Shop.Example.com' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      name: 'After',
      status: 'inactive',
      custom_domain: 'shop.example.com',
      updated_at: body.updated_at,
    });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await patch(before.id, { custom_domain: null })).body.custom_domain).toBeNull();
  });

  test('domain and custom_domain are one field; both at once are refused', async () => {
    const { id } = await create({ name: 'Both' });
    expectRefusal(await patch(id, { domain: 'a.example', custom_domain: 'b.example' }), 'INVALID_BODY');
  });

  test('a domain is unique across the service, and a slug within the tenant', async () => {
    const [first, second] = [await create({ name: 'D1', slug: 'd1' }), await create({ name: 'D2', slug: 'd2' })];
    await patch(first.id, { domain: 'only.example' });
    expectRefusal(await patch(second.id, { domain: 'ONLY.example' }), 'DOMAIN_IN_USE');
    expectRefusal(await patch(second.id, { slug: 'd1' }), 'SLUG_IN_USE');
    expect((await api(`/v1/clients/${second.id}`)).body).toEqual(second);
  });

  test('an unknown status is INVALID_BODY', async () => {
    const { id } = await create({ name: 'Status' });
    expectRefusal(await patch(id, { status: 'gone' }), 'INVALID_BODY', ['status']);
  });
});

describe('delete', () => {
  test('returns the deleted client, hides it, and frees its slug and domain', async () => {
    const gone = await create({ name: 'Gone', slug: 'gone' });
    await patch(gone.id, { domain: 'gone.example' });
    const { status, body } = await api(`/v1/clients/${gone.id}`, { method: 'DELETE' });
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'client', id: gone.id, deleted: true });
    expectRefusal(await api(`/v1/clients/${gone.id}`), 'CLIENT_NOT_FOUND');
    expectRefusal(await api(`/v1/clients/${gone.id}`, { method: 'DELETE' }), 'CLIENT_NOT_FOUND');
    const next = await create({ name: 'Next', slug: 'gone' });
    expect((await patch(next.id, { domain: 'gone.example' })).status).toBe(200);
  });

  test('is soft: the row is kept unchanged', async () => {
    const { id } = await create({ name: 'Kept' });
    await api(`/v1/clients/${id}`, { method: 'DELETE' });
    expect(
      await select(story.server.db, 'SELECT name, deleted_at FROM deleted_clients WHERE id = :id', { id }),
    ).toEqual([{ name: 'Kept', deleted_at: expect.any(Number) }]);
  });
});

describe('events and audit', () => {
  test('a change stores its event with the full client and its audit event, and a refused change stores neither', async () => {
    const created = await create({ name: 'Watched' });
    const updated = (await patch(created.id, { name: 'Watched closely' })).body;
    const same = (await patch(created.id, {})).body;
    expectRefusal(await patch(created.id, { slug: 'd1' }), 'SLUG_IN_USE');
    await api(`/v1/clients/${created.id}`, { method: 'DELETE' });

    const events = (await api('/v1/webhooks/events?limit=4')).body.data.reverse();
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'client.created',
      'client.updated',
      'client.updated',
      'client.deleted',
    ]);
    expect(events[0]).toMatchObject({
      object: 'event',
      tenant_id: tenantId,
      data: created,
      created: created.created_at,
    });
    expect(events[1].data).toEqual(updated);
    expect(events[2].data).toEqual(same);
    const instants = events.map((event: { created: string }) => event.created);
    expect(instants).toEqual([...new Set(instants)].sort());

    const trail = await select<{ action: string; changes: string | null; actor_type: string; request_id: string }>(
      story.server.db,
      'SELECT action, changes, actor_type, request_id FROM audit_events WHERE target_id = :id ORDER BY id',
      { id: created.id },
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'client.created',
      'client.updated',
      'client.updated',
      'client.deleted',
    ]);
    expect(JSON.parse(trail[1]?.changes ?? '')).toEqual({ name: { before: 'Watched', after: 'Watched closely' } });
    expect(trail.every((row) => row.actor_type === 'api_key' && isId('request', row.request_id))).toBe(true);
  });
});
