import { type ErrorCode, OPERATIONS, type OperationInfo } from '@plat/contract';
import { ApiError, type ListCall, Platform } from '@plat/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
/** Operations that succeeded at least once. The last story requires all of them. */
const succeeded = new Set<string>();
let platform: Platform;
let ownerId: string;

beforeAll(async () => {
  const sandbox = await story.server.createSandbox();
  ownerId = sandbox.ownerId;
  platform = new Platform({
    baseUrl: story.server.baseUrl,
    apiKey: sandbox.apiKey,
    hooks: {
      onResponse({ operation, status }) {
        if (status < 300) succeeded.add(operation);
      },
    },
  });
});

/** Asserts that a call is refused with a code. */
async function expectCode(call: PromiseLike<unknown>, code: ErrorCode): Promise<void> {
  const outcome = await call.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
  expect(outcome).toBe(code);
}

const newClient = async (name: string) => (await platform.clients.create({ name })).id;
const newGroup = async (name: string) => (await platform.groups.create({ name })).id;

describe.each([
  ['clients', newClient, 'CLIENT_NOT_FOUND'],
  ['groups', newGroup, 'GROUP_NOT_FOUND'],
] as const)('the locations of %s', (family, newOwner, missing) => {
  test('are created, read, changed, listed and deleted; the default is moved', async () => {
    const { locations } = platform[family];
    const owner = await newOwner(`Owner of locations in ${family}`);
    const first = await locations.create(owner, { name: 'First', country: 'DE', timezone: 'Europe/Berlin' });
    expect(first).toMatchObject({ object: 'location', default: true });
    const second = await locations.create(owner, { name: 'Second', country: 'FR', default: true });
    expect(await locations.get(owner, first.id)).toMatchObject({ default: false });
    const moved = await locations.update(owner, first.id, { default: true, address: 'Quay 1' });
    expect(moved).toMatchObject({ default: true, address: 'Quay 1' });
    expect(await locations.list(owner).toArray()).toMatchObject([{ id: second.id, default: false }, moved]);
    await expectCode(locations.update(owner, first.id, { default: false }), 'DEFAULT_LOCATION_PROTECTED');
    await expectCode(locations.delete(owner, first.id), 'DEFAULT_LOCATION_PROTECTED');
    expect(await locations.delete(owner, second.id)).toEqual({ object: 'location', id: second.id, deleted: true });
    await expectCode(locations.get(owner, second.id), 'LOCATION_NOT_FOUND');
    await expectCode(locations.list(`${owner.slice(0, -4)}zzzz`), missing);
  });
});

test('a group is created, gets members and owners, and is deleted', async () => {
  const { groups } = platform;
  const group = await groups.create({ name: 'Harbour', membership_policy: 'open' });
  expect(await groups.get(group.id)).toEqual(group);
  expect(await groups.update(group.id, { name: 'Port' })).toMatchObject({ name: 'Port', slug: group.slug });

  const clientId = await newClient('Member');
  const member = await groups.members.add(group.id, { client_id: clientId });
  expect(member).toMatchObject({ object: 'group_member', group_id: group.id, client_id: clientId });
  expect(await groups.members.get(group.id, clientId)).toEqual(member);
  await expectCode(groups.members.add(group.id, { client_id: clientId }), 'ALREADY_MEMBER');
  expect(await groups.members.remove(group.id, clientId)).toMatchObject({ object: 'group_member', deleted: true });
  await expectCode(groups.members.get(group.id, clientId), 'GROUP_MEMBER_NOT_FOUND');

  const owner = await groups.owners.invite(group.id, { email: 'port@owners.example' });
  expect(owner).toMatchObject({ object: 'group_owner', status: 'invited', email: 'port@owners.example' });
  expect(await groups.owners.get(group.id, owner.user_id)).toEqual(owner);
  await expectCode(groups.owners.invite(group.id, { email: 'Port@owners.example' }), 'ALREADY_OWNER');
  expect(await groups.owners.remove(group.id, owner.user_id)).toMatchObject({ object: 'group_owner', deleted: true });
  await expectCode(groups.owners.get(group.id, owner.user_id), 'GROUP_OWNER_NOT_FOUND');

  expect(await groups.delete(group.id)).toEqual({ object: 'group', id: group.id, deleted: true });
  await expectCode(groups.get(group.id), 'GROUP_NOT_FOUND');
});

test('a user is invited, changed and withdrawn; an active one is deactivated permanently', async () => {
  const { users } = platform;
  const user = await users.create({ email: 'ada@users.example', role: 'member', name: 'Ada' });
  expect(user).toMatchObject({ object: 'user', status: 'invited', role: 'member' });
  await expectCode(users.create({ email: 'ADA@users.example', role: 'member' }), 'EMAIL_IN_USE');
  expect(await users.update(user.id, { role: 'viewer', name: null })).toMatchObject({ role: 'viewer', name: null });
  const invited = await users.invite(user.id, { idempotencyKey: 'again' }).withMeta();
  expect(invited).toMatchObject({ status: 200, data: { id: user.id, status: 'invited' } });
  expect((await users.invite(user.id, { idempotencyKey: 'again' }).withMeta()).idempotentReplayed).toBe(true);
  expect(await users.get(user.id)).toMatchObject({ role: 'viewer' });
  expect((await users.delete(user.id)).deleted).toBe(true);
  await expectCode(users.get(user.id), 'USER_NOT_FOUND');

  const [active] = (await users.list({ role: 'viewer', status: 'active' })).data;
  const id = active?.id ?? '';
  expect(await users.deactivate(id)).toMatchObject({ id, status: 'suspended' });
  await expectCode(users.delete(id), 'USER_NOT_DELETABLE');
  await expectCode(users.invite(id), 'USER_NOT_INVITED');
  await expectCode(users.deactivate(ownerId), 'LAST_OWNER_PROTECTED');
});

test('tenant, settings and roles are read and changed', async () => {
  const { tenant, settings, roles } = platform;
  expect(await tenant.update({ name: 'Renamed' })).toMatchObject({ object: 'tenant', name: 'Renamed' });
  expect((await tenant.get()).name).toBe('Renamed');
  expect((await settings.update({ default_timezone: 'Asia/Tokyo' })).default_timezone).toBe('Asia/Tokyo');
  expect((await settings.get()).default_timezone).toBe('Asia/Tokyo');

  const [capability = ''] = (await platform.modules.list()).data.flatMap(({ capabilities }) => capabilities);
  const role = await roles.create({ name: 'clerk', title: 'Clerk', capabilities: [capability] });
  expect(await roles.get(role.id)).toEqual(role);
  expect(await roles.update(role.id, { capabilities: [] })).toMatchObject({ name: 'clerk', capabilities: [] });
  await expectCode(roles.create({ name: 'clerk', title: 'Other' }), 'ROLE_NAME_IN_USE');
  const builtIn = (await roles.list().toArray()).find(({ built_in }) => built_in);
  await expectCode(roles.update(builtIn?.id ?? '', { title: 'Mine' }), 'ROLE_BUILT_IN');
});

test('the audit trail, invoices and payments are read one by one too', async () => {
  const clientId = await newClient('Audited');
  const [event] = (await platform.audit.events.list({ target_id: clientId, action: 'client.created' })).data;
  expect(event).toMatchObject({ actor: { type: 'api_key' }, target: { type: 'client', id: clientId } });
  expect(await platform.audit.events.get(event?.id ?? '')).toEqual(event);
  const [invoice] = (await platform.billing.invoices.list({ status: 'paid' })).data;
  expect(await platform.billing.invoices.get(invoice?.id ?? '')).toEqual(invoice);
  const payments = await platform.billing.payments.list({ invoice_id: invoice?.id ?? '' }).toArray();
  expect(payments.every(({ invoice_id }) => invoice_id === invoice?.id)).toBe(true);
  expect((await platform.plans.list()).data.length).toBeGreaterThan(0);
});

test('an event is sent again to an endpoint', async () => {
  const receiver = await startReceiver();
  try {
    const { endpoints, events, deliveries } = platform.webhooks;
    const endpoint = await endpoints.create({ url: receiver.url, events: ['client.created'] });
    expect(await endpoints.get(endpoint.id)).toMatchObject({ id: endpoint.id, status: 'enabled' });
    const clientId = await newClient('Sent twice');
    await receiver.waitFor(1);
    const [event] = (await events.list({ type: 'client.created' })).data;
    expect(event).toMatchObject({ data: { id: clientId } });
    expect(await events.get(event?.id ?? '')).toEqual(event);
    const replayed = await events.replay(event?.id ?? '').withMeta();
    expect(replayed).toMatchObject({
      status: 202,
      data: { object: 'list', data: [{ attempt: 1, status: 'pending' }] },
    });
    await receiver.waitFor(2);
    await story.server.idle();
    expect(await deliveries.get(replayed.data.data[0]?.id ?? '')).toMatchObject({ status: 'succeeded' });
    expect((await deliveries.list({ event_id: event?.id ?? '' })).data).toHaveLength(2);
    await endpoints.rotateSecret(endpoint.id);
    await endpoints.update(endpoint.id, { status: 'disabled' });
    await expectCode(events.replay(event?.id ?? '', { endpoint_id: endpoint.id }), 'UNPROCESSABLE');
    await endpoints.delete(endpoint.id);
  } finally {
    await receiver.close();
  }
});

test('missed events are sent to their endpoint by a replay, which can be canceled until it has ended', async () => {
  const receiver = await startReceiver();
  try {
    const { endpoints, replays } = platform.webhooks;
    const endpoint = await endpoints.create({ url: receiver.url, events: ['client.created'] });
    await endpoints.update(endpoint.id, { status: 'disabled' });
    await newClient('Missed');
    await endpoints.update(endpoint.id, { status: 'enabled' });
    const params = { since: new Date(Date.now() - 3_600_000).toISOString(), endpoint_id: endpoint.id };
    const begun = await replays.create({ ...params, select: 'missed' }).withMeta();
    expect(begun).toMatchObject({ status: 202, data: { object: 'webhook_replay', status: 'pending' } });
    const look = () => replays.get(begun.data.id);
    await expect.poll(async () => (await look()).status).toBe('completed');
    const { scheduled_count: scheduled } = await look();
    expect(scheduled).toBeGreaterThan(0);
    await receiver.waitFor(scheduled);
    await expectCode(replays.cancel(begun.data.id), 'UNPROCESSABLE');
    // A replay that no process has claimed yet. On a slow machine this takes more than one attempt.
    const cancelOne = async () => {
      const { id } = await replays.create(params);
      return replays.cancel(id).then(
        ({ status }) => status,
        () => 'too late',
      );
    };
    await expect.poll(cancelOne).toBe('canceled');
    await endpoints.delete(endpoint.id);
  } finally {
    await receiver.close();
  }
});

describe('every list', () => {
  const LISTS = Object.entries<OperationInfo>(OPERATIONS).filter(([, { list }]) => list);
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ids['client_id'] = await newClient('Listed');
    ids['group_id'] = await newGroup('Listed');
    for (let n = 0; n < 3; n++) {
      await platform.groups.members.add(ids['group_id'], { client_id: await newClient(`Listed ${n}`) });
      await platform.groups.owners.invite(ids['group_id'], { email: `listed${n}@owners.example` });
      await platform.clients.locations.create(ids['client_id'], { name: `At ${n}`, country: 'DE' });
      await platform.groups.locations.create(ids['group_id'], { name: `At ${n}`, country: 'DE' });
      await platform.webhooks.endpoints.create({ url: `https://example.com/${n}`, events: ['tenant.suspended'] });
    }
  });

  /** Calls `groups.members.list` of the group, and so on, with these parameters. */
  function listOf(operation: string, path: string, params: object): ListCall<unknown> {
    const owners = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ids[name]);
    const method = operation.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), platform);
    return Reflect.apply(method as () => ListCall<unknown>, undefined, [...owners, params]);
  }

  test.each(LISTS)('%s is the same in pages of one, in both directions', async (operation, { path }) => {
    // The request log has more than one page, and keeps growing.
    const some = operation === 'requests.list' ? { operation: 'groups.locations.create' } : {};
    const whole = await listOf(operation, path, { ...some, limit: 100 });
    expect(whole.data.length).toBeGreaterThan(1);
    expect(whole.has_more).toBe(false);
    expect(await listOf(operation, path, { ...some, limit: 1 }).toArray()).toEqual(whole.data);
    const back = await listOf(operation, path, { ...some, limit: 1, ending_before: whole.endCursor }).toArray();
    expect(back.toReversed()).toEqual(whole.data.slice(0, -1));
  });
});

test('every operation was called through its method', async () => {
  await platform.me.get();
  const client = await platform.clients.create({ name: 'All' });
  await platform.clients.get(client.id);
  await platform.clients.update(client.id, { status: 'inactive' });
  await platform.clients.delete(client.id);
  const [request] = (await platform.requests.list({ operation: 'clients.delete' })).data;
  expect(await platform.requests.get(request?.id ?? '')).toEqual(request);
  expect((await platform.trace.get(client.id, { limit: 1 })).entries[0]?.id).toBe(request?.id);
  expect(Object.keys(OPERATIONS).filter((operation) => !succeeded.has(operation))).toEqual([]);
});
