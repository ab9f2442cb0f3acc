import { isId } from '@plat/contract';
import { execute, select } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { receiveEvents } from '../support/events.ts';
import { readBothWays } from '../support/pages.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let tenantId: string;
let ownerId: string;
let other: Api;

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  ({ tenantId, ownerId } = tenant);
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
});

const create = async (body: object = { name: 'Retail' }) => (await api('/v1/groups', { body })).body;
const createClient = async (name = 'Acme', by = api) => (await by('/v1/clients', { body: { name } })).body;
const patch = (id: string, body: unknown) => api(`/v1/groups/${id}`, { method: 'PATCH', body });
const remove = (path: string, by = api) => by(path, { method: 'DELETE' });
const add = (groupId: string, clientId: string) =>
  api(`/v1/groups/${groupId}/members`, { body: { client_id: clientId } });
const invite = (groupId: string, email: string) => api(`/v1/groups/${groupId}/owners`, { body: { email } });
const countOf = async (groupId: string) => (await api(`/v1/groups/${groupId}`)).body.member_count;
const eventsOf = async (type: string) => (await api(`/v1/webhooks/events?type=${type}&limit=100`)).body.data;
const trailOf = async (id: string) =>
  (await api(`/v1/audit/events?target_id=${id}`)).body.data
    .reverse()
    .map(({ action, changes }: { action: string; changes: unknown }) => [action, changes]);
/** Sets the status of a user, as accepting the invitation or a deactivation would. */
const setStatus = (userId: string, status: string) =>
  execute(story.server.db, 'UPDATE users SET status = :status WHERE tenant_id = :tenantId AND id = :userId', {
    tenantId,
    userId,
    status,
  });

const UNKNOWN = ['grp_01hzzzzzzzzzzzzzzzzzzzzzzz', 'grp_missing', 'nonsense', 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz', '%00'];
/** Every operation on one group, or on an object nested in it. */
const OPERATIONS: readonly ((by: Api, groupId: string) => Promise<Answer>)[] = [
  (by, id) => by(`/v1/groups/${id}`),
  (by, id) => by(`/v1/groups/${id}`, { method: 'PATCH', body: { name: 'x' } }),
  (by, id) => remove(`/v1/groups/${id}`, by),
  (by, id) => by(`/v1/groups/${id}/members`),
  (by, id) => by(`/v1/groups/${id}/members`, { body: { client_id: 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz' } }),
  (by, id) => by(`/v1/groups/${id}/members/cli_01hzzzzzzzzzzzzzzzzzzzzzzz`),
  (by, id) => remove(`/v1/groups/${id}/members/cli_01hzzzzzzzzzzzzzzzzzzzzzzz`, by),
  (by, id) => by(`/v1/groups/${id}/owners`),
  (by, id) => by(`/v1/groups/${id}/owners`, { body: { email: 'nobody@example.com' } }),
  (by, id) => by(`/v1/groups/${id}/owners/usr_01hzzzzzzzzzzzzzzzzzzzzzzz`),
  (by, id) => remove(`/v1/groups/${id}/owners/usr_01hzzzzzzzzzzzzzzzzzzzzzzz`, by),
];

describe('groups', () => {
  test('a create answers 201 with the whole group', async () => {
    const { status, body } = await api('/v1/groups', {
      body: { name: '  Retail North ', slug: 'north', membership_policy: 'closed' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'group',
      id: expect.stringMatching(/^grp_/),
      name: 'Retail North',
      slug: 'north',
      membership_policy: 'closed',
      member_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(isId('group', body.id)).toBe(true);
    expect((await api(`/v1/groups/${body.id}`)).body).toEqual(body);
  });

  test('a name is enough: the policy is invite_only, and the slug is made from the name, unique', async () => {
    const [first, second, third] = [
      await create({ name: 'Käfer & Co' }),
      await create({ name: 'Käfer & Co' }),
      await create({ name: '株式会社' }),
    ];
    expect(first).toMatchObject({ slug: 'kafer-co', membership_policy: 'invite_only' });
    expect(second.slug).toMatch(/^kafer-co-[0-9a-z]{7}$/);
    expect(third.slug).toBe('group');
  });

  test('a slug in use is SLUG_IN_USE; it is free in another tenant, for a client, and after a delete', async () => {
    const { id } = await create({ name: 'One', slug: 'taken' });
    expectRefusal(await api('/v1/groups', { body: { name: 'Two', slug: 'taken' } }), 'SLUG_IN_USE');
    const second = await create({ name: 'Two', slug: 'two' });
    expectRefusal(await patch(second.id, { slug: 'taken' }), 'SLUG_IN_USE');
    expect((await other('/v1/groups', { body: { name: 'Two', slug: 'taken' } })).status).toBe(201);
    expect((await api('/v1/clients', { body: { name: 'Two', slug: 'taken' } })).status).toBe(201);
    await remove(`/v1/groups/${id}`);
    expect((await patch(second.id, { slug: 'taken' })).body.slug).toBe('taken');
  });

  test.each([
    ['no name', {}, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, ['name']],
    ['a slug with a space', { name: 'A', slug: 'a b' }, ['slug']],
    ['an unknown policy', { name: 'A', membership_policy: 'secret' }, ['membership_policy']],
    ['a policy that is null', { name: 'A', membership_policy: null }, ['membership_policy']],
    ['a field of the answer', { name: 'A', member_count: 3 }, ['member_count']],
    ['several at once', { name: '', slug: 'A', x: 1 }, ['name', 'slug', 'x']],
  ])('%s is INVALID_BODY and names the field', async (_title, body, fields) => {
    expectRefusal(await api('/v1/groups', { body }), 'INVALID_BODY', fields);
  });

  test.each(UNKNOWN)('%s is GROUP_NOT_FOUND for every operation', async (id) => {
    for (const operation of OPERATIONS) expectRefusal(await operation(api, id), 'GROUP_NOT_FOUND');
  });

  test('a group of another tenant is GROUP_NOT_FOUND for every operation, and is unchanged', async () => {
    const group = await create();
    for (const operation of OPERATIONS) expectRefusal(await operation(other, group.id), 'GROUP_NOT_FOUND');
    expect((await api(`/v1/groups/${group.id}`)).body).toEqual(group);
  });

  test('an update changes only the given fields', async () => {
    const before = await create({ name: 'Before', slug: 'before' });
    const { status, body } = await patch(before.id, { name: 'After', membership_policy: 'open' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'After', membership_policy: 'open', updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await patch(before.id, { slug: 'after' })).body).toMatchObject({ name: 'After', slug: 'after' });
    expectRefusal(await patch(before.id, { name: null }), 'INVALID_BODY', ['name']);
  });

  test('an update that changes nothing leaves no event, no audit event, and the same updated_at', async () => {
    const group = await create({ name: 'Same', slug: 'same' });
    for (const body of [{}, { name: 'Same', slug: 'same', membership_policy: 'invite_only' }, { name: ' Same ' }]) {
      expect(await patch(group.id, body)).toMatchObject({ status: 200, body: group });
    }
    expect(
      (await eventsOf('group.updated')).filter(({ data }: { data: { id: string } }) => data.id === group.id),
    ).toEqual([]);
    expect(await trailOf(group.id)).toEqual([['group.created', null]]);
  });

  test('a delete is permanent and removes members, owners and locations', async () => {
    const group = await create();
    const client = await createClient();
    await add(group.id, client.id);
    await invite(group.id, 'owner@example.com');
    const location = (await api(`/v1/groups/${group.id}/locations`, { body: { name: 'Hall', country: 'DE' } })).body;
    const { body: user } = await api('/v1/users', {
      body: { email: 'hall@example.com', role: 'viewer', location_id: location.id },
    });
    expect(user.location_id).toBe(location.id);

    const before = (await api(`/v1/groups/${group.id}`)).body;
    const { status, body } = await remove(`/v1/groups/${group.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'group', id: group.id, deleted: true });
    expectRefusal(await api(`/v1/groups/${group.id}`), 'GROUP_NOT_FOUND');
    expectRefusal(await remove(`/v1/groups/${group.id}`), 'GROUP_NOT_FOUND');

    for (const table of ['group_members WHERE group_id', 'group_owners WHERE group_id', 'locations WHERE owner_id']) {
      const left = await select(story.server.db, `SELECT tenant_id FROM ${table} = :id`, { id: group.id });
      expect(left, table).toEqual([]);
    }
    const after = (await api(`/v1/users/${user.id}`)).body;
    expect(after).toEqual({ ...user, location_id: null, updated_at: after.updated_at });
    expect(after.updated_at > user.updated_at).toBe(true);
    expect((await api(`/v1/clients/${client.id}`)).body).toEqual(client);

    const [event, ...older] = (await api('/v1/webhooks/events?limit=3')).body.data;
    expect(event).toMatchObject({ type: 'group.deleted', data: { ...before, updated_at: expect.any(String) } });
    expect(event.data).toMatchObject({ member_count: 1 });
    expect(event.data.updated_at > before.updated_at).toBe(true);
    expect(older.map(({ type }: { type: string }) => type)).toEqual(['user.invited', 'location.created']);
  });

  test('the list has pages in both directions, newest first', async () => {
    const { server } = story;
    const mine = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await mine('/v1/groups', { body: { name: `G${i}` } })).body.id);
    expect(await readBothWays(mine, '/v1/groups')).toEqual(made);
    expectRefusal(await mine('/v1/groups?starting_after=cli_01hzzzzzzzzzzzzzzzzzzzzzzz'), 'INVALID_CURSOR');
    expectRefusal(await mine('/v1/groups?slug=g1'), 'INVALID_REQUEST', ['slug']);
  });
});

describe('members', () => {
  test('a client is added once, counted, shown and removed', async () => {
    const [group, client] = [await create(), await createClient()];
    const { status, body } = await add(group.id, client.id);
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'group_member',
      group_id: group.id,
      client_id: client.id,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const path = `/v1/groups/${group.id}/members`;
    expect((await api(`${path}/${client.id}`)).body).toEqual(body);
    expect((await api(path)).body).toEqual({ object: 'list', data: [body], has_more: false, url: path });
    expectRefusal(await add(group.id, client.id), 'ALREADY_MEMBER');
    const counted = (await api(`/v1/groups/${group.id}`)).body;
    expect(counted).toEqual({ ...group, member_count: 1, updated_at: body.created_at });

    expect((await remove(`${path}/${client.id}`)).body).toEqual({
      object: 'group_member',
      id: client.id,
      deleted: true,
    });
    expectRefusal(await remove(`${path}/${client.id}`), 'GROUP_MEMBER_NOT_FOUND');
    expectRefusal(await api(`${path}/${client.id}`), 'GROUP_MEMBER_NOT_FOUND');
    const after = (await api(`/v1/groups/${group.id}`)).body;
    expect(after.member_count).toBe(0);
    expect(after.updated_at > counted.updated_at).toBe(true);
    expect((await add(group.id, client.id)).status).toBe(201);
  });

  test('an unknown client, or one of another tenant, is CLIENT_NOT_FOUND', async () => {
    const group = await create();
    const foreign = await createClient('Foreign', other);
    for (const id of ['cli_01hzzzzzzzzzzzzzzzzzzzzzzz', foreign.id]) {
      expectRefusal(await add(group.id, id), 'CLIENT_NOT_FOUND');
    }
    for (const id of ['nonsense', group.id, '', null, 5]) {
      expectRefusal(await api(`/v1/groups/${group.id}/members`, { body: { client_id: id } }), 'INVALID_BODY', [
        'client_id',
      ]);
    }
    expect(await countOf(group.id)).toBe(0);
  });

  test('a client that is not a member is GROUP_MEMBER_NOT_FOUND, for any id', async () => {
    const [group, client] = [await create(), await createClient()];
    for (const id of [client.id, 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz', 'cli_x', 'nonsense', group.id, '%00']) {
      expectRefusal(await api(`/v1/groups/${group.id}/members/${id}`), 'GROUP_MEMBER_NOT_FOUND');
      expectRefusal(await remove(`/v1/groups/${group.id}/members/${id}`), 'GROUP_MEMBER_NOT_FOUND');
    }
  });

  test('the list has pages in both directions, ordered by client, newest first', async () => {
    const [group, elsewhere] = [await create(), await create()];
    const clients = [];
    for (let i = 0; i < 5; i++) clients.unshift((await createClient(`M${i}`)).id);
    for (const id of [2, 0, 4, 1, 3]) await add(group.id, clients[id]);
    await add(elsewhere.id, clients[0]);
    const path = `/v1/groups/${group.id}/members`;
    expect(await readBothWays(api, path, 'client_id')).toEqual(clients);
    // The cursor of a member that has left still works.
    await remove(`${path}/${clients[1]}`);
    const { body } = await api(`${path}?starting_after=${clients[1]}`);
    expect(body.data.map((member: { client_id: string }) => member.client_id)).toEqual(clients.slice(2));
    expectRefusal(await api(`${path}?starting_after=${group.id}`), 'INVALID_CURSOR');
    expectRefusal(await api(`${path}?ending_before=x`), 'INVALID_CURSOR');
  });
});

describe('owners', () => {
  test('an active user owns the group at once, and gets a mail', async () => {
    const group = await create({ name: 'Mine' });
    const ownerMails = async () => (await story.server.mails()).filter(({ kind }) => kind === 'group_owner');
    const before = (await ownerMails()).length;
    const { status, body } = await invite(group.id, 'OWNER@example.com');
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'group_owner',
      group_id: group.id,
      user_id: ownerId,
      email: 'owner@example.com',
      status: 'active',
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const path = `/v1/groups/${group.id}/owners`;
    expect((await api(`${path}/${ownerId}`)).body).toEqual(body);
    expect((await api(path)).body).toEqual({ object: 'list', data: [body], has_more: false, url: path });
    expectRefusal(await invite(group.id, 'owner@example.com'), 'ALREADY_OWNER');
    expect((await ownerMails()).slice(0, -before || undefined)).toMatchObject([
      { to: 'owner@example.com', subject: 'You now own a group on Plat' },
    ]);

    expect((await remove(`${path}/${ownerId}`)).body).toEqual({ object: 'group_owner', id: ownerId, deleted: true });
    expectRefusal(await remove(`${path}/${ownerId}`), 'GROUP_OWNER_NOT_FOUND');
    expect((await api(path)).body.data).toEqual([]);
    expect((await invite(group.id, 'owner@example.com')).status).toBe(201);
  });

  test('any other address is invited to the tenant as a viewer, and owns the group after the acceptance', async () => {
    const [first, second] = [await create(), await create()];
    const { body } = await invite(first.id, 'New@Example.com');
    expect(body).toMatchObject({ email: 'New@Example.com', status: 'invited' });
    const user = (await api(`/v1/users/${body.user_id}`)).body;
    expect(user).toMatchObject({ email: 'New@Example.com', role: 'viewer', status: 'invited', client_id: null });
    const mails = (await story.server.mails()).filter(({ to }) => to === 'New@Example.com');
    expect(mails.map(({ kind }) => kind)).toEqual(['user_invitation']);

    // A user who is invited already is not invited to the tenant again.
    expect((await invite(second.id, 'new@example.com')).body).toMatchObject({
      user_id: user.id,
      status: 'invited',
    });
    expectRefusal(await invite(first.id, 'new@example.com'), 'ALREADY_OWNER');
    await setStatus(user.id, 'active');
    for (const { id } of [first, second]) {
      expect((await api(`/v1/groups/${id}/owners/${user.id}`)).body.status).toBe('active');
    }
  });

  test('a suspended user is UNPROCESSABLE, and nothing changes', async () => {
    const group = await create();
    const { body: user } = await api('/v1/users', { body: { email: 'gone@example.com', role: 'member' } });
    await setStatus(user.id, 'suspended');
    expectRefusal(await invite(group.id, 'gone@example.com'), 'UNPROCESSABLE');
    expect((await api(`/v1/groups/${group.id}/owners`)).body.data).toEqual([]);
    expect(await trailOf(group.id)).toEqual([['group.created', null]]);
  });

  test('a malformed address is INVALID_BODY', async () => {
    const group = await create();
    for (const email of ['nobody', 'a@b', 'a@b@example.com', '', `${'a'.repeat(250)}@example.com`]) {
      expectRefusal(await invite(group.id, email), 'INVALID_BODY');
    }
  });

  test('a user who is not an owner is GROUP_OWNER_NOT_FOUND, for any id', async () => {
    const group = await create();
    for (const id of [ownerId, 'usr_01hzzzzzzzzzzzzzzzzzzzzzzz', 'usr_x', 'nonsense', group.id]) {
      expectRefusal(await api(`/v1/groups/${group.id}/owners/${id}`), 'GROUP_OWNER_NOT_FOUND');
      expectRefusal(await remove(`/v1/groups/${group.id}/owners/${id}`), 'GROUP_OWNER_NOT_FOUND');
    }
  });

  test('the list has pages in both directions, ordered by user, newest first', async () => {
    const group = await create();
    const owners = [];
    for (let i = 0; i < 5; i++) owners.unshift((await invite(group.id, `page-${i}@example.com`)).body.user_id);
    const path = `/v1/groups/${group.id}/owners`;
    expect(await readBothWays(api, path, 'user_id')).toEqual(owners);
    expectRefusal(await api(`${path}?starting_after=${group.id}`), 'INVALID_CURSOR');
  });
});

test('a deleted client leaves its groups, its locations are deleted, and its users stay without it', async () => {
  const client = await createClient('Leaving');
  const [first, second, third] = [await create(), await create(), await create()];
  for (const group of [first, second]) await add(group.id, client.id);
  await add(first.id, (await createClient()).id);
  const place = { name: 'Store', country: 'DE' };
  const own = (await api(`/v1/clients/${client.id}/locations`, { body: place })).body;
  const shared = (await api(`/v1/groups/${third.id}/locations`, { body: place })).body;
  const users = [];
  for (const [i, location_id] of [own.id, shared.id, null].entries()) {
    const body = { email: `leaving-${i}@example.com`, role: 'viewer', client_id: client.id, location_id };
    users.push((await api('/v1/users', { body })).body);
  }
  const before = (await api(`/v1/groups/${second.id}`)).body;
  const stranger = (await api(`/v1/users/${ownerId}`)).body;
  const [{ id: lastEvent }] = (await api('/v1/webhooks/events?limit=1')).body.data;
  await remove(`/v1/clients/${client.id}`);

  expect(await countOf(first.id)).toBe(1);
  const after = (await api(`/v1/groups/${second.id}`)).body;
  expect(after).toEqual({ ...before, member_count: 0, updated_at: after.updated_at });
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await api(`/v1/groups/${third.id}`)).body).toEqual(third);
  expect((await api(`/v1/groups/${second.id}/members`)).body.data).toEqual([]);
  expectRefusal(await api(`/v1/clients/${client.id}/locations`), 'CLIENT_NOT_FOUND');
  for (const [i, location_id] of [null, shared.id, null].entries()) {
    const user = (await api(`/v1/users/${users[i].id}`)).body;
    expect(user).toEqual({ ...users[i], client_id: null, location_id, updated_at: user.updated_at });
    expect(user.updated_at > users[i].updated_at).toBe(true);
  }
  expect((await api(`/v1/users/${ownerId}`)).body).toEqual(stranger);
  const { body: events } = await api(`/v1/webhooks/events?ending_before=${lastEvent}`);
  expect(events.data).toMatchObject([{ type: 'client.deleted', data: { id: client.id } }]);
});

test('each change is delivered once with its object, and is in the audit trail', async () => {
  const tenant = await story.server.createTenant();
  const mine = apiOf(story.server.baseUrl, tenant.apiKey);
  const stream = await receiveEvents(mine, [
    ...(['group.created', 'group.updated', 'group.deleted', 'user.invited'] as const),
    ...(['group.member_added', 'group.member_removed', 'group.owner_invited', 'group.owner_removed'] as const),
  ]);
  try {
    const created = (await mine('/v1/groups', { body: { name: 'Watched' } })).body;
    const path = `/v1/groups/${created.id}`;
    const updated = (await mine(path, { method: 'PATCH', body: { name: 'Watched closely' } })).body;
    await mine(path, { method: 'PATCH', body: {} });
    const client = await createClient('Acme', mine);
    const member = (await mine(`${path}/members`, { body: { client_id: client.id } })).body;
    expectRefusal(await mine(`${path}/members`, { body: { client_id: client.id } }), 'ALREADY_MEMBER');
    await remove(`${path}/members/${client.id}`, mine);
    const active = (await mine(`${path}/owners`, { body: { email: 'owner@example.com' } })).body;
    const invited = (await mine(`${path}/owners`, { body: { email: 'new@example.com' } })).body;
    const user = (await mine(`/v1/users/${invited.user_id}`)).body;
    await remove(`${path}/owners/${tenant.ownerId}`, mine);
    const last = (await mine(path)).body;
    await remove(path, mine);

    const events = await stream.first(9);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['group.created', created],
      ['group.updated', updated],
      ['group.member_added', member],
      ['group.member_removed', member],
      ['group.owner_invited', active],
      ['user.invited', user],
      ['group.owner_invited', invited],
      ['group.owner_removed', active],
      ['group.deleted', { ...last, updated_at: events.at(-1)?.created }],
    ]);
    expect(events.every(({ tenant_id }) => tenant_id === tenant.tenantId)).toBe(true);
    await story.server.idle();
    expect(await stream.first(9)).toHaveLength(9);

    const trail = (await mine(`/v1/audit/events?target_id=${created.id}`)).body.data.reverse();
    const came = (name: string, after: string) => ({ [name]: { before: null, after } });
    const went = (name: string, before: string) => ({ [name]: { before, after: null } });
    expect(trail.map(({ action, changes }: { action: string; changes: unknown }) => [action, changes])).toEqual([
      ['group.created', null],
      ['group.updated', { name: { before: 'Watched', after: 'Watched closely' } }],
      ['group.member_added', came('client_id', client.id)],
      ['group.member_removed', went('client_id', client.id)],
      ['group.owner_invited', came('user_id', tenant.ownerId)],
      ['group.owner_invited', came('user_id', user.id)],
      ['group.owner_removed', went('user_id', tenant.ownerId)],
      ['group.deleted', null],
    ]);
    for (const { target, actor, request_id } of trail) {
      expect(target).toEqual({ type: 'group', id: created.id });
      expect(actor.type).toBe('api_key');
      expect(isId('request', request_id)).toBe(true);
    }
  } finally {
    await stream.close();
  }
});
