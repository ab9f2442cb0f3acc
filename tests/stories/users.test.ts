import { isId, type PlatformEvent } from '@plat/contract';
import { createVerifier } from '@plat/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let ownerId: string;

const tenant = async () => {
  const made = await story.server.createTenant();
  return { ...made, api: apiOf(story.server.baseUrl, made.apiKey) };
};

beforeAll(async () => {
  ({ api, ownerId } = await tenant());
});

let serial = 0;
const newEmail = () => `user-${++serial}@example.com`;
const create = async (body: object = {}) =>
  (await api('/v1/users', { body: { email: newEmail(), role: 'member', ...body } })).body;
const createActive = async (body: object = {}) => {
  const user = await create(body);
  expect((await acceptInvitation(story.server, user.email)).status).toBe(200);
  return (await api(`/v1/users/${user.id}`)).body;
};
const patch = (id: string, body: unknown) => api(`/v1/users/${id}`, { method: 'PATCH', body });
const post = (id: string, action: string, headers = {}) =>
  api(`/v1/users/${id}/${action}`, { method: 'POST', headers });
const remove = (id: string) => api(`/v1/users/${id}`, { method: 'DELETE' });
const createClient = async () => (await api('/v1/clients', { body: { name: `Client ${++serial}` } })).body.id;
const createGroup = async () => (await api('/v1/groups', { body: { name: `Group ${++serial}` } })).body.id;
const createLocation = async (owner: string) =>
  (await api(`/v1/${owner}/locations`, { body: { name: 'Office', country: 'DE' } })).body.id;
const trail = async (id: string) => (await api(`/v1/audit/events?target_id=${id}`)).body.data.reverse();
const newestEvents = async (count: number): Promise<PlatformEvent[]> =>
  (await api(`/v1/webhooks/events?limit=${count}`)).body.data.reverse();

describe('create', () => {
  test('answers 201 with the whole user, who is invited', async () => {
    const { status, body } = await api('/v1/users', {
      body: { email: '  Ada@Example.com ', role: 'viewer', name: ' Ada ' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'user',
      id: expect.stringMatching(/^usr_/),
      email: 'Ada@Example.com',
      name: 'Ada',
      role: 'viewer',
      status: 'invited',
      client_id: null,
      location_id: null,
      activated_at: null,
      deactivated_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect(isId('user', body.id)).toBe(true);
    expect((await api(`/v1/users/${body.id}`)).body).toEqual(body);
  });

  test('mails the invitation to the address, with the title of the role', async () => {
    const { email } = await create({ role: 'client_admin' });
    const [mail] = (await story.server.mails()).filter(({ to }) => to === email);
    expect(mail).toMatchObject({ kind: 'user_invitation', subject: "Invitation to a developer's sandbox on Plat" });
    expect(mail?.text).toContain('Client administrator');
    expect(mail?.text).toMatch(
      new RegExp(`^${story.server.baseUrl}/invitations/accept\\?token=plat_inv_[A-Za-z0-9]{49}$`, 'm'),
    );
  });

  test('an address in use is EMAIL_IN_USE in any case of its letters, and sends no mail; another tenant may have it', async () => {
    await create({ email: 'Taken@example.com' });
    const before = await story.server.mails();
    for (const email of ['Taken@example.com', 'taken@EXAMPLE.com']) {
      expectRefusal(await api('/v1/users', { body: { email, role: 'member' } }), 'EMAIL_IN_USE');
    }
    expect(await story.server.mails()).toEqual(before);
    const other = await tenant();
    const answer = await other.api('/v1/users', { body: { email: 'taken@example.com', role: 'member' } });
    expect(answer.status).toBe(201);
  });

  test('addresses in other scripts are stored, and compared composed and in lower case', async () => {
    const decomposed = 'JO\u0308RG@münchen.example';
    expect((await create({ email: decomposed })).email).toBe(decomposed);
    expectRefusal(await api('/v1/users', { body: { email: 'jörg@münchen.example', role: 'member' } }), 'EMAIL_IN_USE');
    // Equal for a collation, but another mailbox.
    expect((await create({ email: 'jorg@münchen.example' })).object).toBe('user');
    expect((await create({ email: '用户@例子.广告' })).email).toBe('用户@例子.广告');
  });

  test.each([
    ['no e-mail', { role: 'member' }, ['email']],
    ['no role', { email: 'a@example.com' }, ['role']],
    ['a malformed e-mail', { email: 'Ada <a@example.com>', role: 'member' }, ['email']],
    ['two recipients', { email: 'a@example.com,b@example.com', role: 'member' }, ['email']],
    ['a header behind the e-mail', { email: 'a@example.com\r\nBcc: b@example.com', role: 'member' }, ['email']],
    ['an e-mail of 255 characters', { email: `a@${'b.'.repeat(125)}com`, role: 'member' }, ['email']],
    ['a malformed role', { email: 'a@example.com', role: 'Owner' }, ['role']],
    ['a blank name', { email: 'a@example.com', role: 'member', name: ' ' }, ['name']],
    ['a malformed client', { email: 'a@example.com', role: 'member', client_id: 'cli_x' }, ['client_id']],
    ['a location of another kind', { email: 'a@example.com', role: 'member', location_id: 5 }, ['location_id']],
    ['a field of the answer', { email: 'a@example.com', role: 'member', status: 'active' }, ['status']],
  ])('%s is INVALID_BODY and names the field', async (_title, body, fields) => {
    expectRefusal(await api('/v1/users', { body }), 'INVALID_BODY', fields);
  });

  test('a role, client or location that is not the tenant’s is not found', async () => {
    const other = await tenant();
    const { body: client } = await other.api('/v1/clients', { body: { name: 'Theirs' } });
    const { body: location } = await other.api(`/v1/clients/${client.id}/locations`, {
      body: { name: 'Theirs', country: 'DE' },
    });
    await other.api('/v1/roles', { body: { name: 'theirs', title: 'Theirs' } });
    const refused = async (body: object) => api('/v1/users', { body: { email: newEmail(), role: 'member', ...body } });
    expectRefusal(await refused({ role: 'theirs' }), 'ROLE_NOT_FOUND');
    const misspelt = await refused({ role: 'viewr' });
    expect(misspelt.body.message).toBe('There is no role viewr in the tenant. Did you mean viewer?');
    expectRefusal(await refused({ client_id: client.id }), 'CLIENT_NOT_FOUND');
    expectRefusal(await refused({ location_id: location.id }), 'LOCATION_NOT_FOUND');
    const { id } = await create();
    expectRefusal(await patch(id, { role: 'theirs' }), 'ROLE_NOT_FOUND');
    expectRefusal(await patch(id, { client_id: client.id }), 'CLIENT_NOT_FOUND');
    expectRefusal(await patch(id, { location_id: location.id }), 'LOCATION_NOT_FOUND');
  });

  test('a client’s location is for its users, a group’s for all users', async () => {
    const [client, other] = [await createClient(), await createClient()];
    const locationId = await createLocation(`clients/${client}`);
    const ofGroup = await createLocation(`groups/${await createGroup()}`);
    const refused = async (body: object) => api('/v1/users', { body: { email: newEmail(), role: 'member', ...body } });
    expectRefusal(await refused({ location_id: locationId }), 'UNPROCESSABLE');
    expectRefusal(await refused({ client_id: other, location_id: locationId }), 'UNPROCESSABLE');

    const user = await create({ client_id: client, location_id: locationId });
    expect(user).toMatchObject({ client_id: client, location_id: locationId });
    expect(await create({ location_id: ofGroup })).toMatchObject({ client_id: null, location_id: ofGroup });

    const moved = await patch(user.id, { client_id: other });
    expectRefusal(moved, 'UNPROCESSABLE');
    expect(moved.body.message).toContain('location_id');
    expectRefusal(await patch(user.id, { client_id: null }), 'UNPROCESSABLE');
    expect((await patch(user.id, { client_id: other, location_id: null })).body).toMatchObject({
      client_id: other,
      location_id: null,
    });
    expect((await patch(user.id, { client_id: null, location_id: ofGroup })).status).toBe(200);
  });
});

describe('read', () => {
  test.each(['usr_01hzzzzzzzzzzzzzzzzzzzzzzz', 'usr_missing', 'nonsense', '%00'])(
    '%s is USER_NOT_FOUND for every operation',
    async (id) => {
      expectRefusal(await api(`/v1/users/${id}`), 'USER_NOT_FOUND');
      expectRefusal(await patch(id, { role: 'member' }), 'USER_NOT_FOUND');
      expectRefusal(await post(id, 'invite'), 'USER_NOT_FOUND');
      expectRefusal(await post(id, 'deactivate'), 'USER_NOT_FOUND');
      expectRefusal(await remove(id), 'USER_NOT_FOUND');
    },
  );

  test('a user of another tenant is USER_NOT_FOUND for every operation, and is unchanged', async () => {
    const other = await tenant();
    const { body: theirs } = await other.api('/v1/users', { body: { email: newEmail(), role: 'member' } });
    expectRefusal(await api(`/v1/users/${theirs.id}`), 'USER_NOT_FOUND');
    expectRefusal(await patch(theirs.id, { role: 'owner' }), 'USER_NOT_FOUND');
    expectRefusal(await post(theirs.id, 'invite'), 'USER_NOT_FOUND');
    expectRefusal(await post(theirs.id, 'deactivate'), 'USER_NOT_FOUND');
    expectRefusal(await remove(theirs.id), 'USER_NOT_FOUND');
    expect((await other.api(`/v1/users/${theirs.id}`)).body).toEqual(theirs);
  });
});

describe('list', () => {
  let ids: string[];
  let client: string;
  const list = async (query: string) => (await api(`/v1/users?${query}`)).body.data.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    ({ api, ownerId } = await tenant());
    client = await createClient();
    const made = [
      await create({ email: 'First@example.com', role: 'viewer' }),
      await createActive({ client_id: client }),
      await create({ role: 'viewer', client_id: client }),
    ];
    ids = made.map(({ id }) => id);
  });

  test('is newest first, with pages in both directions', async () => {
    const [first, second, third] = ids;
    expect(await list('')).toEqual([third, second, first, ownerId]);
    expect(await list(`limit=2&starting_after=${third}`)).toEqual([second, first]);
    expect(await list(`limit=2&ending_before=${first}`)).toEqual([third, second]);
    expectRefusal(await api(`/v1/users?starting_after=${client}`), 'INVALID_CURSOR');
  });

  test('is narrowed by status, role, client and e-mail, one or several', async () => {
    const [first, second, third] = ids;
    expect(await list('status=invited')).toEqual([third, first]);
    expect(await list('status=active')).toEqual([second, ownerId]);
    expect(await list('status=suspended')).toEqual([]);
    expect(await list('role=viewer')).toEqual([third, first]);
    expect(await list('role=unheard_of')).toEqual([]);
    expect(await list(`client_id=${client}`)).toEqual([third, second]);
    expect(await list('email=fIRST%40EXAMPLE.com')).toEqual([first]);
    expect(await list('email=nobody@example.com')).toEqual([]);
    expect(await list(`role=viewer&client_id=${client}&status=invited`)).toEqual([third]);
    expect(await list(`email=first@example.com&status=active`)).toEqual([]);
  });

  test.each([
    ['status=gone', 'status'],
    ['role=Not+A+Role', 'role'],
    ['client_id=cli_x', 'client_id'],
    ['email=nonsense', 'email'],
    ['name=Ada', 'name'],
  ])('the query %s is INVALID_REQUEST and names the parameter', async (query, field) => {
    expectRefusal(await api(`/v1/users?${query}`), 'INVALID_REQUEST', [field]);
  });

  test('a filter by an id of another tenant finds nothing', async () => {
    const other = await tenant();
    expect((await other.api(`/v1/users?client_id=${client}`)).body.data).toEqual([]);
    expect((await other.api('/v1/users?email=first@example.com')).body.data).toEqual([]);
  });
});

describe('update', () => {
  test('changes only the given fields, and audits the actor', async () => {
    const before = await create({ name: 'Before' });
    const { status, body } = await patch(before.id, { name: 'After', role: 'viewer' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'After', role: 'viewer', updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
    const [, updated] = await trail(before.id);
    expect(updated).toMatchObject({
      action: 'user.updated',
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/) },
      changes: { name: { before: 'Before', after: 'After' }, role: { before: 'member', after: 'viewer' } },
      created_at: body.updated_at,
    });
    expect(isId('request', updated.request_id)).toBe(true);
    expect((await patch(before.id, { name: null })).body.name).toBeNull();
  });

  test('emits an event only for a new role, with the actor', async () => {
    const { id, email } = await create();
    const { body } = await patch(id, { role: 'owner', name: 'Ada' });
    await patch(id, { name: 'Ada L.' });
    const [newest] = await newestEvents(1);
    expect(newest).toMatchObject({ type: 'user.role_changed', created: body.updated_at });
    expect(newest?.data).toEqual({
      object: 'user',
      id,
      email,
      previous_role: 'member',
      new_role: 'owner',
      changed_by: ownerId,
      changed_at: body.updated_at,
    });
  });

  test('accepts a role of the tenant', async () => {
    await api('/v1/roles', { body: { name: 'stock_keeper', title: 'Stock keeper' } });
    expect((await create({ role: 'stock_keeper' })).role).toBe('stock_keeper');
  });

  test('writes nothing when nothing changes', async () => {
    const before = await create({ name: 'Same' });
    const [event] = await newestEvents(1);
    for (const body of [{}, { name: 'Same', role: 'member', client_id: null, location_id: null }]) {
      const answer = await patch(before.id, body);
      expect([answer.status, answer.body]).toEqual([200, before]);
    }
    expect(await newestEvents(1)).toEqual([event]);
    expect(await trail(before.id)).toHaveLength(1);
  });

  test.each([
    ['the e-mail', { email: 'new@example.com' }, 'email'],
    ['the status', { status: 'active' }, 'status'],
    ['a role of null', { role: null }, 'role'],
    ['a blank name', { name: '' }, 'name'],
  ])('%s is INVALID_BODY', async (_title, body, field) => {
    expectRefusal(await patch(ownerId, body), 'INVALID_BODY', [field]);
  });
});

describe('the last active owner', () => {
  beforeEach(async () => {
    ({ api, ownerId } = await tenant());
  });

  test('can be neither demoted nor deactivated, though another owner is invited', async () => {
    await create({ role: 'owner' });
    const before = (await api(`/v1/users/${ownerId}`)).body;
    expectRefusal(await patch(ownerId, { role: 'member' }), 'LAST_OWNER_PROTECTED');
    expectRefusal(await post(ownerId, 'deactivate'), 'LAST_OWNER_PROTECTED');
    expect((await patch(ownerId, { name: before.name, role: 'owner' })).body).toEqual(before);
    expect(await trail(ownerId)).toEqual([]);
    expect((await patch(ownerId, { name: 'Only owner', role: 'owner' })).body).toMatchObject({ name: 'Only owner' });
  });

  test('is protected only while there is no other', async () => {
    const second = await createActive({ role: 'owner' });
    expect((await patch(ownerId, { role: 'member' })).status).toBe(200);
    expectRefusal(await post(second.id, 'deactivate'), 'LAST_OWNER_PROTECTED');
    await patch(ownerId, { role: 'owner' });
    expect((await post(second.id, 'deactivate')).status).toBe(200);
    expectRefusal(await post(ownerId, 'deactivate'), 'LAST_OWNER_PROTECTED');
  });

  test('an invited owner can be demoted', async () => {
    const { id } = await create({ role: 'owner' });
    expect((await patch(id, { role: 'viewer' })).status).toBe(200);
  });
});

describe('invite again', () => {
  test('mails another link, with an event and an audit event', async () => {
    const before = await create();
    const { status, body } = await post(before.id, 'invite');
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await story.server.mails()).filter(({ to }) => to === before.email)).toHaveLength(2);
    expect((await newestEvents(1))[0]).toMatchObject({ type: 'user.invited', data: body });
    expect((await trail(before.id)).map(({ action }: { action: string }) => action)).toEqual([
      'user.invited',
      'user.invited',
    ]);
  });

  test('the same Idempotency-Key sends one mail', async () => {
    const { id, email } = await create();
    const headers = { 'idempotency-key': 'again' };
    const [first, second] = [await post(id, 'invite', headers), await post(id, 'invite', headers)];
    expect(second.body).toEqual(first.body);
    expect((await story.server.mails()).filter(({ to }) => to === email)).toHaveLength(2);
  });

  test('of an active or a suspended user is USER_NOT_INVITED', async () => {
    const { id } = await createActive();
    expectRefusal(await post(id, 'invite'), 'USER_NOT_INVITED');
    await post(id, 'deactivate');
    expectRefusal(await post(id, 'invite'), 'USER_NOT_INVITED');
  });
});

describe('deactivate', () => {
  test('suspends permanently, and keeps the record and the address', async () => {
    const before = await createActive();
    const { status, body } = await post(before.id, 'deactivate');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      status: 'suspended',
      deactivated_at: body.updated_at,
      updated_at: body.updated_at,
    });
    expect((await api(`/v1/users/${before.id}`)).body).toEqual(body);
    expectRefusal(await api('/v1/users', { body: { email: before.email, role: 'member' } }), 'EMAIL_IN_USE');
    expectRefusal(await remove(before.id), 'USER_NOT_DELETABLE');
  });

  test('a second time changes nothing', async () => {
    const { id } = await createActive();
    const first = await post(id, 'deactivate');
    const kept = await trail(id);
    const [event] = await newestEvents(1);
    const second = await post(id, 'deactivate');
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await trail(id)).toEqual(kept);
    expect(await newestEvents(1)).toEqual([event]);
  });

  test('of an invited user is UNPROCESSABLE', async () => {
    expectRefusal(await post((await create()).id, 'deactivate'), 'UNPROCESSABLE');
  });

  test('removes the ownerships of the user, with an event for each group', async () => {
    const user = await createActive();
    const groups = [await createGroup(), await createGroup()];
    const owners = [];
    for (const group of groups) {
      owners.push((await api(`/v1/groups/${group}/owners`, { body: { email: user.email } })).body);
    }
    const other = await createActive();
    await api(`/v1/groups/${groups[0]}/owners`, { body: { email: other.email } });
    const { body } = await post(user.id, 'deactivate');

    const events = await newestEvents(3);
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'user.deactivated', data: body },
      { type: 'group.owner_removed', data: owners[0] },
      { type: 'group.owner_removed', data: owners[1] },
    ]);
    expect((await api(`/v1/groups/${groups[0]}/owners`)).body.data).toMatchObject([{ user_id: other.id }]);
    expect((await api(`/v1/groups/${groups[1]}/owners`)).body.data).toEqual([]);
    for (const group of groups) {
      expect((await trail(group)).at(-1)).toMatchObject({
        action: 'group.owner_removed',
        target: { type: 'group', id: group },
        changes: { user_id: { before: user.id, after: null } },
      });
    }
  });
});

describe('delete', () => {
  test('withdraws an invited user with their future ownerships, and frees the address', async () => {
    const user = await create();
    const group = await createGroup();
    const { body: owner } = await api(`/v1/groups/${group}/owners`, { body: { email: user.email } });
    const { status, body } = await remove(user.id);
    expect([status, body]).toEqual([200, { object: 'user', id: user.id, deleted: true }]);
    expectRefusal(await api(`/v1/users/${user.id}`), 'USER_NOT_FOUND');
    expectRefusal(await remove(user.id), 'USER_NOT_FOUND');
    expect((await newestEvents(1))[0]).toMatchObject({ type: 'group.owner_removed', data: owner });
    expect(owner.status).toBe('invited');
    expect((await trail(user.id)).at(-1)).toMatchObject({ action: 'user.deleted' });
    expect((await create({ email: user.email })).id).not.toBe(user.id);
  });

  test('of an active user is USER_NOT_DELETABLE', async () => {
    const { id } = await createActive();
    expectRefusal(await remove(id), 'USER_NOT_DELETABLE');
    expect((await api(`/v1/users/${id}`)).body.status).toBe('active');
  });
});

describe('deliveries', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('all events of a user arrive at a receiver, signed, each with the state of its time', async () => {
    const { body: endpoint } = await api('/v1/webhooks/endpoints', {
      body: {
        url: receiver.url,
        events: ['user.invited', 'user.activated', 'user.role_changed', 'user.deactivated', 'group.owner_removed'],
      },
    });
    const invited = await create();
    await acceptInvitation(story.server, invited.email);
    const active = (await api(`/v1/users/${invited.id}`)).body;
    await patch(active.id, { role: 'client_admin' });
    const { body: owner } = await api(`/v1/groups/${await createGroup()}/owners`, { body: { email: active.email } });
    const { body: suspended } = await post(active.id, 'deactivate');

    await receiver.waitFor(5);
    await story.server.idle();
    const verifier = createVerifier({ secrets: [endpoint.secret] });
    const events = receiver.received.map(({ body, headers }) => verifier.verify(body, headers));
    // Deliveries come in any order. `created` and then the id give the order of the changes.
    events.sort((a, b) => (`${a.created}${a.id}` < `${b.created}${b.id}` ? -1 : 1));
    expect(events.map(({ type }) => type)).toEqual([
      'user.invited',
      'user.activated',
      'user.role_changed',
      'user.deactivated',
      'group.owner_removed',
    ]);
    const change = { object: 'user', previous_role: 'member', new_role: 'client_admin', changed_by: ownerId };
    expect(events.map(({ data }) => data)).toMatchObject([invited, active, change, suspended, owner]);
  });
});
