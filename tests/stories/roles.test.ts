import { BUILT_IN_ROLES, isId, type Role } from '@plat/contract';
import { unitOfWork } from '@plat/server/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;

beforeAll(async () => {
  const { db } = story.server;
  const at = Date.now();
  const module = { description: 'A module', launch_url: null, audience: null, created_at: at, updated_at: at };
  await unitOfWork(db, (transaction) =>
    db.models.module.bulkCreate(
      [
        { slug: 'stock', capabilities: '["stock:write","stock:read"]' },
        { slug: 'reports', capabilities: '["reports:export","reports:read","stock:read"]' },
      ].map((row, i) => ({ ...module, ...row, name: row.slug, id: `mod_01hzzzzzzzzzzzzzzzzzzzzzz${i}` })),
      { transaction },
    ),
  );
});
const CATALOG = ['reports:export', 'reports:read', 'stock:read', 'stock:write'];

beforeEach(async () => {
  api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
});

const create = async (body: object = {}) =>
  (await api('/v1/roles', { body: { name: 'keeper', title: 'Keeper', ...body } })).body;
const patch = (id: string, body: unknown) => api(`/v1/roles/${id}`, { method: 'PATCH', body });
const trail = async (id: string) => (await api(`/v1/audit/events?target_id=${id}`)).body.data.reverse();
const builtIn = async (name: string) =>
  (await api('/v1/roles')).body.data.find((role: { name: string }) => role.name === name);

describe('built-in roles', () => {
  test('exist from the beginning, and can read the catalog; a viewer has the capabilities that only read', async () => {
    const { data }: { data: Role[] } = (await api('/v1/roles')).body;
    expect(data.map(({ name }) => name).sort()).toEqual([...BUILT_IN_ROLES].sort());
    for (const role of data) {
      expect(role).toMatchObject({ object: 'role', built_in: true, description: null });
      expect(isId('role', role.id)).toBe(true);
      expect(role.capabilities).toEqual(role.name === 'viewer' ? ['reports:read', 'stock:read'] : CATALOG);
      expect((await api(`/v1/roles/${role.id}`)).body).toEqual(role);
    }
  });

  test('cannot be changed, not even to their current values', async () => {
    const { id, title } = await builtIn('viewer');
    for (const body of [{ title: 'Guest' }, { capabilities: [] }, { title }, {}]) {
      expectRefusal(await patch(id, body), 'ROLE_BUILT_IN');
    }
    expect(await trail(id)).toEqual([]);
  });
});

describe('create', () => {
  test('answers 201 with the whole role, its capabilities sorted and unique', async () => {
    const { status, body } = await api('/v1/roles', {
      body: {
        name: 'stock_keeper2',
        title: ' Stock keeper ',
        description: 'Counts.',
        capabilities: ['stock:write', 'reports:read', 'stock:write'],
      },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'role',
      id: expect.stringMatching(/^rol_/),
      name: 'stock_keeper2',
      title: 'Stock keeper',
      description: 'Counts.',
      built_in: false,
      capabilities: ['reports:read', 'stock:write'],
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect((await api(`/v1/roles/${body.id}`)).body).toEqual(body);
    expect(await trail(body.id)).toMatchObject([
      { action: 'role.created', target: { type: 'role', id: body.id }, changes: null, created_at: body.created_at },
    ]);
  });

  test('needs only a name and a title, and then has no capabilities', async () => {
    expect(await create()).toMatchObject({ description: null, capabilities: [] });
  });

  test('a name in use is ROLE_NAME_IN_USE, built-in names too; another tenant may have it', async () => {
    await create();
    for (const name of ['keeper', 'owner']) {
      expectRefusal(await api('/v1/roles', { body: { name, title: 'Again' } }), 'ROLE_NAME_IN_USE');
    }
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    expect((await other('/v1/roles', { body: { name: 'keeper', title: 'Keeper' } })).status).toBe(201);
  });

  test.each([
    ['no name', { title: 'T' }, ['name']],
    ['no title', { name: 'a' }, ['title']],
    ['upper case', { name: 'Keeper', title: 'T' }, ['name']],
    ['two underscores', { name: 'a__b', title: 'T' }, ['name']],
    ['a name of 64 characters', { name: 'a'.repeat(64), title: 'T' }, ['name']],
    ['a blank title', { name: 'a', title: ' ' }, ['title']],
    [
      'a capability that no module has',
      { name: 'a', title: 'T', capabilities: ['stock:read', 'x:y'] },
      ['capabilities.1'],
    ],
    ['a malformed capability', { name: 'a', title: 'T', capabilities: ['Stock'] }, ['capabilities.0']],
    ['201 capabilities', { name: 'a', title: 'T', capabilities: Array(201).fill('stock:read') }, ['capabilities']],
    ['a field of the answer', { name: 'a', title: 'T', built_in: true }, ['built_in']],
  ])('%s is INVALID_BODY and names the field', async (_title, body, fields) => {
    expectRefusal(await api('/v1/roles', { body }), 'INVALID_BODY', fields);
  });
});

describe('update', () => {
  test('changes only the given fields', async () => {
    const before = await create({ description: 'Old', capabilities: ['stock:read'] });
    const { status, body } = await patch(before.id, { title: 'Head keeper', capabilities: ['stock:write'] });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      title: 'Head keeper',
      capabilities: ['stock:write'],
      updated_at: body.updated_at,
    });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await patch(before.id, { description: null })).body.description).toBeNull();
    expect((await trail(before.id))[1]).toMatchObject({
      action: 'role.updated',
      changes: {
        title: { before: 'Keeper', after: 'Head keeper' },
        capabilities: { before: ['stock:read'], after: ['stock:write'] },
      },
    });
  });

  test('writes nothing when nothing changes', async () => {
    const before = await create({ capabilities: ['stock:read', 'reports:read'] });
    for (const body of [{}, { title: 'Keeper', capabilities: ['stock:read', 'reports:read', 'stock:read'] }]) {
      expect((await patch(before.id, body)).body).toEqual(before);
    }
    expect(await trail(before.id)).toHaveLength(1);
  });

  test('the name cannot be changed, and a capability must be in the catalog', async () => {
    const { id } = await create();
    expectRefusal(await patch(id, { name: 'other' }), 'INVALID_BODY', ['name']);
    expectRefusal(await patch(id, { capabilities: ['a:b', 'stock:read', 'c:d'] }), 'INVALID_BODY', [
      'capabilities.0',
      'capabilities.2',
    ]);
  });
});

test.each(['rol_01hzzzzzzzzzzzzzzzzzzzzzzz', 'rol_x', 'owner', '%00'])('%s is ROLE_NOT_FOUND', async (id) => {
  expectRefusal(await api(`/v1/roles/${id}`), 'ROLE_NOT_FOUND');
  expectRefusal(await patch(id, { title: 'x' }), 'ROLE_NOT_FOUND');
});

test('a role of another tenant is ROLE_NOT_FOUND, and a name of another tenant is no role here', async () => {
  const { id } = await create({ name: 'theirs' });
  const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  expectRefusal(await other(`/v1/roles/${id}`), 'ROLE_NOT_FOUND');
  expectRefusal(await other(`/v1/roles/${id}`, { method: 'PATCH', body: { title: 'Mine' } }), 'ROLE_NOT_FOUND');
});

test('a list is newest first, with pages in both directions', async () => {
  const made: string[] = [];
  for (let i = 0; i < 3; i++) made.unshift((await create({ name: `role_${i}` })).id);
  const list = async (query: string) => (await api(`/v1/roles?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await list('limit=3')).toEqual(made);
  expect(await list(`limit=1&starting_after=${made[0]}`)).toEqual([made[1]]);
  expect(await list(`limit=1&ending_before=${made[2]}`)).toEqual([made[1]]);
  expectRefusal(await api('/v1/roles?starting_after=usr_01hzzzzzzzzzzzzzzzzzzzzzzz'), 'INVALID_CURSOR');
  expectRefusal(await api('/v1/roles?name=owner'), 'INVALID_REQUEST', ['name']);
});
