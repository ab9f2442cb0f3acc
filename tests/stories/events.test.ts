import { ALL_EVENT_TYPES, type EventType, HEADERS, type PlatformEvent } from '@plat/contract';
import { createVerifier } from '@plat/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Api, apiOf } from '../support/api.ts';
import { acceptInvitation } from '../support/invitation.ts';
import { operate } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

/*
 * Causes each event type by the change that it describes, up to a receiver that verifies its delivery. The stories of
 * each family test the rules of its changes.
 */

const story = useServer();
let receiver: Receiver;
let api: Api;
let tenantId: string;
let secret: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const tenant = await story.server.createSandbox();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
  ({ secret } = (await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['*'] } })).body);
});
afterAll(() => receiver.close());

const done = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};
const post = async (path: string, body: object = {}) => done(await api(path, { body }));
const patch = async (path: string, body: object) => done(await api(path, { method: 'PATCH', body }));
const remove = async (path: string) => done(await api(path, { method: 'DELETE' }));

let serial = 0;
const client = () => post('/v1/clients', { name: `Client ${++serial}` });
const group = () => post('/v1/groups', { name: `Group ${++serial}` });
const user = () => post('/v1/users', { email: `user-${++serial}@example.com`, role: 'viewer' });
const activeUser = async () => {
  const invited = await user();
  await acceptInvitation(story.server, invited.email);
  return (await api(`/v1/users/${invited.id}`)).body;
};
const location = async () => {
  const owner = await client();
  await post(`/v1/clients/${owner.id}/locations`, { name: 'First', country: 'DE' });
  return post(`/v1/clients/${owner.id}/locations`, { name: 'Second', country: 'DE' });
};

/** An owner's consent to a new app, with the expected fields of its events. */
const consent = async () => {
  const app = await story.server.createApp({ scopes: ['clients:read', 'me:read'] });
  const { grantId } = await story.server.grant({ app, tenantId });
  const { appId: app_id, name: app_name, scopes } = app;
  return {
    grantId,
    given: { object: 'oauth_authorization', app_id, app_name, tenant_id: tenantId, scopes, revoked_at: null },
  };
};

/** Event type → a function that causes it and resolves to the expected `data`. */
const CAUSES: { readonly [T in EventType]: () => Promise<object> } = {
  'client.created': client,
  'client.updated': async () => patch(`/v1/clients/${(await client()).id}`, { status: 'inactive' }),
  'client.deleted': async () => {
    const { updated_at: _, ...gone } = await client();
    await remove(`/v1/clients/${gone.id}`);
    return gone;
  },
  'group.created': group,
  'group.updated': async () => patch(`/v1/groups/${(await group()).id}`, { membership_policy: 'open' }),
  'group.deleted': async () => {
    const { id } = await group();
    await remove(`/v1/groups/${id}`);
    return { object: 'group', id };
  },
  'group.member_added': async () =>
    post(`/v1/groups/${(await group()).id}/members`, { client_id: (await client()).id }),
  'group.member_removed': async () => {
    const member = await post(`/v1/groups/${(await group()).id}/members`, { client_id: (await client()).id });
    await remove(`/v1/groups/${member.group_id}/members/${member.client_id}`);
    return member;
  },
  'group.owner_invited': async () =>
    post(`/v1/groups/${(await group()).id}/owners`, { email: `owner-${++serial}@example.com` }),
  'group.owner_removed': async () => {
    const owner = await post(`/v1/groups/${(await group()).id}/owners`, { email: (await activeUser()).email });
    await remove(`/v1/groups/${owner.group_id}/owners/${owner.user_id}`);
    return owner;
  },
  'user.invited': user,
  'user.activated': activeUser,
  'user.deactivated': async () => post(`/v1/users/${(await activeUser()).id}/deactivate`),
  'user.role_changed': async () => {
    const { id, email, role } = await activeUser();
    await patch(`/v1/users/${id}`, { role: 'member' });
    return { object: 'user', id, email, previous_role: role, new_role: 'member' };
  },
  'tenant.suspended': async () => (await operate(story.database.url, 'tenants', 'suspend', tenantId)).json,
  'tenant.reactivated': async () => (await operate(story.database.url, 'tenants', 'reactivate', tenantId)).json,
  'location.created': location,
  'location.updated': async () => {
    const { client_id, id } = await location();
    return patch(`/v1/clients/${client_id}/locations/${id}`, { address: 'Elsewhere 1' });
  },
  'location.deleted': async () => {
    const { client_id, id } = await location();
    await remove(`/v1/clients/${client_id}/locations/${id}`);
    return { object: 'location', id, client_id };
  },
  'oauth.app_authorized': async () => (await consent()).given,
  'oauth.app_revoked': async () => {
    const { grantId, given } = await consent();
    await story.server.revokeConsent(tenantId, grantId);
    const { revoked_at: _, ...revoked } = given;
    return revoked;
  },
};

test.each(Object.entries(CAUSES))('%s is delivered, signed, with the changed object', async (type, cause) => {
  const expected = await cause();
  const isOfEvent = ({ headers, body }: { headers: Record<string, unknown>; body: string }) =>
    headers[HEADERS.eventType] === type && matches(JSON.parse(body).data, expected);
  await expect.poll(() => receiver.received.filter(isOfEvent).length).toBe(1);
  const delivery = receiver.received.find(isOfEvent);
  const event = createVerifier({ secrets: [secret] }).verify(delivery?.body ?? '', delivery?.headers ?? {});
  expect(event).toMatchObject({ object: 'event', type, tenant_id: tenantId, data: expected });
  expect(delivery?.headers[HEADERS.eventId]).toBe(event.id);
});

test('the list of events returns exactly the delivered events', async () => {
  const kept: PlatformEvent[] = (await api('/v1/webhooks/events?limit=100')).body.data;
  const delivered = new Map(receiver.received.map(({ body }) => [JSON.parse(body).id, JSON.parse(body)]));
  expect(delivered.size).toBeGreaterThan(20);
  for (const event of kept) expect(event).toEqual(delivered.get(event.id));
});

test('these are all 21 event types', () => {
  expect(Object.keys(CAUSES).sort()).toEqual([...ALL_EVENT_TYPES].sort());
});

function matches(data: Record<string, unknown>, expected: object): boolean {
  return Object.entries(expected).every(([field, value]) => JSON.stringify(data[field]) === JSON.stringify(value));
}
