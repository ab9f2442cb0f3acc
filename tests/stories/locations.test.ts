import { isId } from '@plat/contract';
import { execute } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectRefusal } from '../support/api.ts';
import { receiveEvents } from '../support/events.ts';
import { readBothWays } from '../support/pages.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let tenantId: string;
let other: Api;

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  ({ tenantId } = tenant);
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
});

const place = { name: 'Store', country: 'DE' };
const change = (path: string, body: unknown, by = api) => by(path, { method: 'PATCH', body });
const remove = (path: string, by = api) => by(path, { method: 'DELETE' });
const events = async (limit: number) => (await api(`/v1/webhooks/events?limit=${limit}`)).body.data.reverse();
const trailOf = async (id: string) => (await api(`/v1/audit/events?target_id=${id}`)).body.data.reverse();

/** The two kinds of owners. All tests below hold for both. */
const OWNERS = [
  { kind: 'client', family: '/v1/clients', missing: 'CLIENT_NOT_FOUND', unknown: 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz' },
  { kind: 'group', family: '/v1/groups', missing: 'GROUP_NOT_FOUND', unknown: 'grp_01hzzzzzzzzzzzzzzzzzzzzzzz' },
] as const;

describe.each(OWNERS)('locations of a $kind', ({ kind, family, missing, unknown }) => {
  const createOwner = async (by = api): Promise<string> => (await by(family, { body: { name: 'Owner' } })).body.id;
  const pathOf = (ownerId: string) => `${family}/${ownerId}/locations`;
  /** An owner with some locations, the first of them the default. */
  const createEveryObject = async (count: number, by = api) => {
    const path = pathOf(await createOwner(by));
    const made = [];
    for (let i = 0; i < count; i++) made.push((await by(path, { body: { ...place, name: `Store ${i}` } })).body);
    const [first, second, third] = made.map(({ id }) => `${path}/${id}`);
    return { path, made, first: first ?? '', second: second ?? '', third: third ?? '' };
  };
  const defaultsOf = async (path: string) =>
    (await api(path)).body.data.filter((one: { default: boolean }) => one.default).map(({ id }: { id: string }) => id);

  test('a create answers 201 with the whole location, and the first one is the default', async () => {
    const ownerId = await createOwner();
    const { status, body } = await api(pathOf(ownerId), {
      body: {
        name: ' Main ',
        country: 'de',
        timezone: 'europe/berlin',
        address: ' Ring 1\n10117 Berlin ',
        default: false,
      },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'location',
      id: expect.stringMatching(/^loc_/),
      client_id: kind === 'client' ? ownerId : null,
      group_id: kind === 'group' ? ownerId : null,
      name: 'Main',
      address: 'Ring 1\n10117 Berlin',
      timezone: 'Europe/Berlin',
      country: 'DE',
      default: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(isId('location', body.id)).toBe(true);
    expect((await api(`${pathOf(ownerId)}/${body.id}`)).body).toEqual(body);
  });

  test('name and country are enough: no address, and the time zone of the settings', async () => {
    const path = pathOf(await createOwner());
    expect((await api(path, { body: place })).body).toMatchObject({ address: null, timezone: 'UTC' });
    await change('/v1/settings', { default_timezone: 'Asia/Kolkata' });
    expect((await api(path, { body: place })).body).toMatchObject({ timezone: 'Asia/Kolkata', default: false });
    await change('/v1/settings', { default_timezone: 'UTC' });
  });

  test.each([
    ['no name and no country', {}, ['name', 'country']],
    ['a blank name', { ...place, name: ' ' }, ['name']],
    ['a country that is none', { ...place, country: 'XX' }, ['country']],
    ['a country of three letters', { ...place, country: 'DEU' }, ['country']],
    ['a time zone that is none', { ...place, timezone: 'Mars/Olympus' }, ['timezone']],
    ['an offset as time zone', { ...place, timezone: '+01:00' }, ['timezone']],
    ['an address of 501 characters', { ...place, address: 'a'.repeat(501) }, ['address']],
    ['a blank address', { ...place, address: ' ' }, ['address']],
    ['a flag that is a text', { ...place, default: 'true' }, ['default']],
    ['a flag that is null', { ...place, default: null }, ['default']],
    ['an owner in the body', { ...place, client_id: unknown }, ['client_id']],
  ])('%s is INVALID_BODY and names the field', async (_title, body, fields) => {
    const path = pathOf(await createOwner());
    expectRefusal(await api(path, { body }), 'INVALID_BODY', fields);
    expect((await api(path)).body.data).toEqual([]);
  });

  test(`an unknown owner, or one of another tenant, is ${missing} before all other checks`, async () => {
    const foreign = await createEveryObject(1, other);
    const own = await createEveryObject(1);
    const [{ id }] = own.made;
    for (const path of [pathOf(unknown), pathOf('nonsense'), pathOf('%00'), foreign.path]) {
      const answers: Answer[] = [
        await api(path),
        await api(path, { body: place }),
        await api(`${path}/${id}`),
        await change(`${path}/${id}`, { default: false }),
        await remove(`${path}/${id}`),
      ];
      for (const answer of answers) expectRefusal(answer, missing);
    }
  });

  test('an unknown or malformed id, or one of another owner or tenant, is LOCATION_NOT_FOUND', async () => {
    const [here, there, foreign] = [
      await createEveryObject(1),
      await createEveryObject(1),
      await createEveryObject(1, other),
    ];
    const ids = [there.made[0].id, foreign.made[0].id, 'loc_01hzzzzzzzzzzzzzzzzzzzzzzz', 'loc_x', 'nonsense', unknown];
    for (const id of ids) {
      const path = `${here.path}/${id}`;
      expectRefusal(await api(path), 'LOCATION_NOT_FOUND');
      expectRefusal(await change(path, { name: 'Mine' }), 'LOCATION_NOT_FOUND');
      expectRefusal(await remove(path), 'LOCATION_NOT_FOUND');
    }
    expect((await api(there.first)).body).toEqual(there.made[0]);
  });

  test('an update changes only the given fields', async () => {
    const { made, second } = await createEveryObject(2);
    const fields = { name: 'New', address: 'Ring 2', timezone: 'America/New_York', country: 'US' };
    const { status, body } = await change(second, fields);
    expect(status).toBe(200);
    expect(body).toEqual({ ...made[1], ...fields, updated_at: body.updated_at });
    expect(body.updated_at > made[1].updated_at).toBe(true);
    expect((await change(second, { address: null })).body.address).toBeNull();
    expectRefusal(await change(second, { country: null }), 'INVALID_BODY', ['country']);
    const types = (await events(2)).map(({ type }: { type: string }) => type);
    expect(types).toEqual(['location.updated', 'location.updated']);
  });

  test('an update that changes nothing leaves no event, no audit event, and the same updated_at', async () => {
    const { made, first, second } = await createEveryObject(2);
    const [{ id: last }] = await events(1);
    for (const body of [{}, { ...place, name: 'Store 0', timezone: 'utc', address: null, default: true }]) {
      expect(await change(first, body)).toMatchObject({ status: 200, body: made[0] });
    }
    expect((await change(second, { default: false })).body).toEqual(made[1]);
    expect((await events(1))[0].id).toBe(last);
    expect(await trailOf(made[0].id)).toHaveLength(1);
  });

  test('the default flag moves to another location, at a create and at an update, with events for both, the old default first', async () => {
    const { path, made, first, second } = await createEveryObject(2);
    const { body: third } = await api(path, { body: { ...place, name: 'Store 2', default: true } });
    expect(third.default).toBe(true);
    const loser = (await api(first)).body;
    expect(loser).toEqual({ ...made[0], default: false, updated_at: loser.updated_at });
    expect((await events(2)).map(({ type, data }: { type: string; data: unknown }) => [type, data])).toEqual([
      ['location.updated', loser],
      ['location.created', third],
    ]);

    const { body: winner } = await change(second, { default: true, name: 'Winner' });
    expect(winner).toMatchObject({ default: true, name: 'Winner' });
    expect(await defaultsOf(path)).toEqual([winner.id]);
    const moved = await events(2);
    expect(moved).toMatchObject([
      { type: 'location.updated', data: { ...third, default: false, updated_at: expect.any(String) } },
      { type: 'location.updated', data: winner },
    ]);
    expect(moved[0].created < moved[1].created).toBe(true);
    const flag = (before: boolean) => ({ default: { before, after: !before } });
    expect((await trailOf(third.id)).at(-1)).toMatchObject({ action: 'location.updated', changes: flag(true) });
    expect((await trailOf(winner.id)).at(-1).changes).toMatchObject(flag(false));
  });

  test('clearing the flag is DEFAULT_LOCATION_PROTECTED, and nothing else of the request is applied', async () => {
    const { made, first } = await createEveryObject(2);
    expectRefusal(await change(first, { default: false, name: 'Other' }), 'DEFAULT_LOCATION_PROTECTED');
    expect((await api(first)).body).toEqual(made[0]);
  });

  test('a delete returns the deleted location; the default is protected until another one has the flag', async () => {
    const { path, made, first, second } = await createEveryObject(2);
    expectRefusal(await remove(first), 'DEFAULT_LOCATION_PROTECTED');
    await change(second, { default: true });
    const before = (await api(first)).body;
    const { status, body } = await remove(first);
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'location', id: made[0].id, deleted: true });
    expectRefusal(await api(first), 'LOCATION_NOT_FOUND');
    expectRefusal(await remove(first), 'LOCATION_NOT_FOUND');
    const [event] = await events(1);
    expect(event).toMatchObject({ type: 'location.deleted', data: { ...before, updated_at: expect.any(String) } });
    expect(event.data.updated_at > before.updated_at).toBe(true);
    expect((await trailOf(made[0].id)).at(-1)).toMatchObject({ action: 'location.deleted', changes: null });
    expect(await defaultsOf(path)).toEqual([made[1].id]);
  });

  test.each(['invited', 'active', 'suspended'])('one with a user who is %s is LOCATION_IN_USE', async (status) => {
    const { made, second } = await createEveryObject(2);
    const { body: user } = await api('/v1/users', {
      body: {
        email: `${status}-${kind}@example.com`,
        role: 'viewer',
        client_id: made[1].client_id,
        location_id: made[1].id,
      },
    });
    const sql = 'UPDATE users SET status = :status WHERE tenant_id = :tenantId AND id = :id';
    await execute(story.server.db, sql, { status, tenantId, id: user.id });
    expectRefusal(await remove(second), 'LOCATION_IN_USE');
    await change(`/v1/users/${user.id}`, { location_id: null });
    expect((await remove(second)).status).toBe(200);
  });

  test('the guards are checked in this order: last, default, in use', async () => {
    const mine = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    const { made, first, path } = await createEveryObject(1, mine);
    const email = 'guard@example.com';
    const { client_id, id: location_id } = made[0];
    const { body: user } = await mine('/v1/users', { body: { email, role: 'viewer', client_id, location_id } });
    expectRefusal(await remove(first, mine), 'LAST_LOCATION_PROTECTED');
    // The location of another user in the tenant is a different one.
    await createEveryObject(1, mine);
    expectRefusal(await remove(first, mine), 'DEFAULT_LOCATION_PROTECTED');
    await mine(path, { body: { ...place, default: true } });
    expectRefusal(await remove(first, mine), 'LOCATION_IN_USE');
    await change(`/v1/users/${user.id}`, { client_id: null, location_id: null }, mine);
    expect((await remove(first, mine)).status).toBe(200);
  });

  test('the list has pages in both directions, newest first, of this owner only', async () => {
    const { path, made } = await createEveryObject(5);
    await createEveryObject(2);
    expect(await readBothWays(api, path)).toEqual(made.map(({ id }) => id).reverse());
    expectRefusal(await api(`${path}?starting_after=${unknown}`), 'INVALID_CURSOR');
    expectRefusal(await api(`${path}?ending_before=x`), 'INVALID_CURSOR');
    expectRefusal(await api(`${path}?country=DE`), 'INVALID_REQUEST', ['country']);
  });

  test('each change is delivered once with its object', async () => {
    const mine = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    const stream = await receiveEvents(mine, ['location.created', 'location.updated', 'location.deleted']);
    try {
      const { made, first, second } = await createEveryObject(2, mine);
      const winner = (await change(second, { default: true }, mine)).body;
      const loser = (await mine(first)).body;
      await change(first, {}, mine);
      expectRefusal(await remove(second, mine), 'DEFAULT_LOCATION_PROTECTED');
      await remove(first, mine);
      const received = await stream.first(5);
      expect(received.map(({ type, data }) => [type, data])).toEqual([
        ['location.created', made[0]],
        ['location.created', made[1]],
        ['location.updated', loser],
        ['location.updated', winner],
        ['location.deleted', { ...loser, updated_at: received.at(-1)?.created }],
      ]);
      await story.server.idle();
      expect(await stream.first(5)).toHaveLength(5);
    } finally {
      await stream.close();
    }
  });
});

test('a client’s location is not found under a group, nor a group’s under a client', async () => {
  const make = async (family: string) => {
    const { body } = await api(family, { body: { name: 'Both' } });
    return { id: body.id, location: (await api(`${family}/${body.id}/locations`, { body: place })).body.id };
  };
  const [client, group] = [await make('/v1/clients'), await make('/v1/groups')];
  expectRefusal(await api(`/v1/clients/${client.id}/locations/${group.location}`), 'LOCATION_NOT_FOUND');
  expectRefusal(await api(`/v1/groups/${group.id}/locations/${client.location}`), 'LOCATION_NOT_FOUND');
  expectRefusal(await api(`/v1/groups/${client.id}/locations`), 'GROUP_NOT_FOUND');
});
